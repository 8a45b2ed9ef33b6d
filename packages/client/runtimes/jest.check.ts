// The recipes of the guide for Jest, on the packed package. Installs Jest first: npm run test:runtimes
import { existsSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installPacked, packageFolder, run } from '../test/packed/install-packed.ts';

const modules = join(packageFolder, 'runtimes/node_modules');
// An older one than that of the workspace, where the system has one.
const systemNode = ['/usr/bin/node', process.execPath].find(existsSync) ?? 'node';

const commonJsTest = `const { createLocationRecord, fakeClient, serviceError } = require('@vehicle-data/client/testing');
const vin = 'SANDB0XA000000001';

test('the code under test reads a location, trips and an error', async () => {
  const client = fakeClient({
    getLocation: () => createLocationRecord(),
    getDrivingData: () => ({ trips: [{ triggerStartTime: '2026-03-02T08:00:00.000Z', tripLength: 1 }] }),
    getCurrentStatus: () => {
      throw serviceError('5006');
    },
  });
  expect((await client.getLocation({ vin })).location).toBeDefined();
  await expect(client.getCurrentStatus({ vin })).rejects.toMatchObject({ name: 'ConsentError', code: '5006' });
  const starts = [];
  for await (const trip of client.trips.driving({ vin, from: '20260302', to: '20260302' })) starts.push(trip.triggerStartTime);
  expect(starts).toEqual(['2026-03-02T08:00:00.000Z']);
});
`;

test.each([
  ['as it is, with --experimental-vm-modules', process.execPath, ['--experimental-vm-modules'], {}],
  ['with Babel', systemNode, [], { transformIgnorePatterns: ['node_modules/(?!(@vehicle-data|openapi-fetch)/)'] }],
])('Jest loads the package %s', async (_, node, flags, options) => {
  const folder = await installPacked();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'sample.test.cjs'), commonJsTest);
  await writeFile(join(folder, 'jest.config.cjs'), `module.exports = ${JSON.stringify(options)};`);
  await symlink(join(modules, '@babel'), join(folder, 'node_modules/@babel'));
  const babel = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] };
  if ('transformIgnorePatterns' in options) await writeFile(join(folder, 'babel.config.json'), JSON.stringify(babel));
  const jest = [...flags, join(modules, 'jest/bin/jest.js'), '--testMatch', '**/*.test.cjs'];
  const { stderr } = await run(node, jest, { cwd: folder }).catch((error: { stderr: string }) => error);
  expect(stderr).toContain('1 passed, 1 total');
});
