// The bundle in tools that others wrote, installed in a folder outside the workspace.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
  // The bundle names no contact, and the errors of requests that match no operation belong to none.
  expect(problems.map(({ code, path }) => `${code} ${path.at(-1)}`).toSorted()).toEqual([
    'info-contact info',
    'oas3-unused-component error-method-not-allowed',
    'oas3-unused-component error-no-such-operation',
  ]);
});
