import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { contractVersion } from '../src/index.js';
import { ContractCopy } from './contract-copy.ts';

async function outputs(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const part of ['dist', 'src/generated']) {
    for (const name of await readdir(join(folder, part), { recursive: true })) {
      const path = join(folder, part, name);
      if ((await stat(path)).isFile()) files.set(join(part, name), await readFile(path, 'utf8'));
    }
  }
  return files;
}

test('a build in another folder gives the same bytes', async () => {
  const copy = await ContractCopy.create();
  expect(await copy.build()).toMatchObject({ exitCode: 0 });
  const [first, second] = [await outputs(fileURLToPath(new URL('..', import.meta.url))), await outputs(copy.folder)];
  expect([...first.keys()]).toContain(join('dist', 'openapi.yaml'));
  expect([...second.keys()]).toEqual([...first.keys()]);
  expect([...first].filter(([name, text]) => second.get(name) !== text).map(([name]) => name)).toEqual([]);
});

test.each([
  [
    'a construct that no generator understands',
    'components/schemas/PowertrainTrip.yaml',
    ['          x-unit: rpm', '          multipleOf: 0.5\n          x-unit: rpm'],
    '/properties/engine/properties/rpm/items/multipleOf: "multipleOf" is not understood here',
  ],
  [
    'a rule beside a reference',
    'components/parameters/ZoneId.yaml',
    ['  $ref: ../schemas/ZoneId.yaml', '  $ref: ../schemas/ZoneId.yaml\n  maxLength: 10'],
    '/schema/maxLength: "maxLength" is not understood here',
  ],
  [
    'a version other than that of the package',
    'openapi.yaml',
    ['  version: ', '  version: 9'],
    `/info/version: must equal the package version ${contractVersion}; run "node build/stamp-version.ts"`,
  ],
] as const)('%s stops the build with file and pointer', async (_, file, [from, to], message) => {
  const copy = await ContractCopy.create();
  await copy.edit(file, from, to);
  expect(await copy.build()).toEqual({ exitCode: 1, output: `openapi/${file}#${message}\n` });
});

test('a dated deprecation passes the lint and reaches the types', async () => {
  const copy = await ContractCopy.create();
  const words = 'Deprecated since 2026-11-21, stays until 2027-11-21 at least; use something else.';
  const [vehicle, location] = ['components/schemas/Vehicle.yaml', 'paths/v1_vehicles_{vin}_locations.yaml'];
  await copy.edit(vehicle, 'description: Nickname', `deprecated: true\n    description: ${words} Nickname`);
  await copy.edit(location, '  summary:', '  deprecated: true\n  summary:');
  await copy.edit(location, 'description: >-\n', `description: >-\n    ${words}\n`);
  expect(await copy.lint()).toMatchObject({ exitCode: 0 });
  expect(await copy.build()).toMatchObject({ exitCode: 0 });
  const types = await readFile(join(copy.folder, 'src/generated/types.ts'), 'utf8');
  const comments = [...types.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*([^\n]*)/g)];
  for (const member of [/^nickname\?/, /^getLocation\b|^get: operations\["getLocation"\]/]) {
    const [, comment] = comments.find(([, , line = '']) => member.test(line)) ?? [];
    expect(comment).toContain('@deprecated');
    expect(comment).toContain('Deprecated since 2026-11-21, stays until 2027-11-21');
  }
});
