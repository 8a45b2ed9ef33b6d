// The bundle in tools that others wrote, installed in a folder outside the workspace.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../src/index.js';

// The tools come from a registry: `pnpm run test:outside`.
const isWanted = process.env['TEST_OUTSIDE'] === '1';
if (!isWanted) console.log('Outside tools are not tried without TEST_OUTSIDE=1: they are downloaded.');

const packages = ['@stoplight/prism-cli@5.16.0', '@stoplight/spectral-cli@6.16.3'];
const bundle = fileURLToPath(new URL('../dist/openapi.json', import.meta.url));
const run = promisify(execFile);
let folder = '';

beforeAll(async () => {
  if (!isWanted) return;
  folder = await mkdtemp(join(tmpdir(), 'outside-'));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', ...packages], { cwd: folder });
}, 300_000);

afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true });
});

test.runIf(isWanted)(
  'the mock of Prism responds to a request without Brand with 4002, on every operation',
  async () => {
    const mock = spawn(join(folder, 'node_modules/.bin/prism'), ['mock', bundle, '--port', '0'], { cwd: folder });
    try {
      let address: string | undefined;
      for await (const line of createInterface(mock.stdout)) {
        address = /listening on (http:\/\/[\d.:]+)/.exec(line)?.[1];
        if (address) break;
      }
      for (const { path, method, parameters } of Object.values(operations)) {
        const query = parameters
          .filter((one) => one.in === 'query' && one.required)
          .map(({ name }) => `${name}=20260302`);
        const url = `${address}${path.replace('{vin}', 'SANDB0XA000000001')}?${query.join('&')}`;
        const response = await fetch(url, { method, headers: { Authorization: 'Bearer token' } });
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ error: { code: '4002' } });
      }
    } finally {
      mock.kill();
    }
  },
);

test.runIf(isWanted)('Spectral finds no error in the bundle', async () => {
  const rules = join(folder, 'rules.yaml');
  await writeFile(rules, 'extends: ["spectral:oas"]\n');
  const spectral = join(folder, 'node_modules/.bin/spectral');
  const flags = ['lint', '--ruleset', rules, '--format', 'json', '--quiet', bundle];
  const { stdout } = await run(spectral, flags).catch((error: { stdout: string }) => error);
  const problems: readonly { code: string; severity: number; path: readonly string[] }[] = JSON.parse(stdout);
  expect(problems.filter(({ severity }) => severity === 0)).toEqual([]);
  // The bundle names no contact: no public address is known.
  expect(problems.map(({ code, path }) => `${code} ${path.at(-1)}`)).toEqual(['info-contact info']);
});

test.runIf(isWanted)(
  'the tools of VSS take the overlay, with every strict check',
  async () => {
    const environment = join(folder, 'python');
    await run('python3', ['-m', 'venv', environment]);
    await run(join(environment, 'bin/pip'), ['install', '--quiet', 'vss-tools==6.1.0']);
    const overlay = fileURLToPath(new URL('../vehicle-data.vspec', import.meta.url));
    const written = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };
    // The branches of the catalogue that the overlay hangs on, and the unit that it uses.
    const branches = [
      'Vehicle',
      ...['ADAS', 'Chassis', 'Chassis.SteeringWheel', 'Powertrain', 'Powertrain.Transmission'].map(
        (name) => `Vehicle.${name}`,
      ),
    ];
    const roots = branches.map((name) => `${name}:\n  type: branch\n  description: Of the catalogue.\n`).join('');
    const unit =
      'degrees/s:\n  definition: D\n  unit: degree per second\n  quantity: angular-speed\n  allowed-datatypes: [numeric]\n';
    const flags = {
      '-s': await written('catalogue.vspec', roots),
      '-u': await written('units.yaml', unit),
      '-q': await written('quantities.yaml', 'angular-speed:\n  definition: D\n'),
      '-l': overlay,
      '-o': join(folder, 'names.json'),
    };
    const vspec = join(environment, 'bin/vspec');
    const exportNames = (values: object) =>
      run(vspec, ['export', 'json', '--strict', ...Object.entries(values).flat()]);
    await exportNames(flags);
    const names = await readFile(join(folder, 'names.json'), 'utf8');
    expect(names).toContain('"RotationSpeed"');
    const broken = (await readFile(overlay, 'utf8')).replace('datatype: float', 'datatype: number');
    await expect(exportNames({ ...flags, '-l': await written('broken.vspec', broken) })).rejects.toThrow();
  },
  300_000,
);
