// Generates clients with six generators from the built contract, compiles what they write, and gives it the responses of the sandbox.
// The generators are installed in a folder outside the workspace.
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '@vehicle-data/openapi';
import { createSandbox } from '@vehicle-data/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { bundleFile } from '../build/contract.ts';
import { accessToken, baseUrl, requestOf } from '../build/samples.ts';

// The generators come from a registry: `pnpm run test:generators`.
const isWanted = process.env['TEST_GENERATORS'] === '1';
if (!isWanted) console.log('Generators are not tried without TEST_GENERATORS=1: they are downloaded.');

const packages = [
  '@hey-api/openapi-ts@0.95.0',
  '@kubb/cli@3.18.3',
  '@kubb/core@3.18.3',
  '@kubb/plugin-oas@3.18.3',
  '@kubb/plugin-ts@3.18.3',
  '@kubb/plugin-zod@3.18.3',
  '@zodios/core@10.9.6',
  'openapi-typescript@7.13.0',
  'openapi-zod-client@1.18.3',
  'orval@7.13.0',
  'swagger-typescript-api@13.13.0',
  'typescript@5.9.3',
  'zod@3.25.76',
];
const kubb = `import { defineConfig } from '@kubb/core';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import { pluginZod } from '@kubb/plugin-zod';
const plugins = [pluginOas({ generators: [] }), pluginTs({ output: { path: 'types' } }), pluginZod({ output: { path: 'zod' } })];
export default defineConfig({ root: '.', input: { path: './openapi.json' }, output: { path: './out/kubb' }, plugins });
`;
const commands: Readonly<Record<string, string>> = {
  'openapi-typescript': 'openapi.json -o out/openapi-typescript.ts',
  'openapi-ts': '-i openapi.json -o out/hey-api',
  orval: '--input openapi.json --output out/orval.ts --client zod',
  kubb: 'generate --config kubb.config.mjs',
  'openapi-zod-client': 'openapi.json -o out/openapi-zod-client.ts --export-schemas',
  'swagger-typescript-api': 'generate -p openapi.json -o out -n swagger-typescript-api.ts --generate-union-enums',
};

const compilerFlags =
  '--strict --noEmit --target es2022 --module esnext --moduleResolution bundler --allowImportingTsExtensions --skipLibCheck';

let folder = '';
const run = (program: string, flags: readonly string[]) =>
  promisify(execFile)(program, flags, { cwd: folder, timeout: 600_000, maxBuffer: 16 * 1024 * 1024 }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${program} ${flags.join(' ')} failed:\n${error.stdout}${error.stderr}`.slice(0, 4000));
    },
  );
const bin = (name: string) => join(folder, 'node_modules/.bin', name);

/** One response of the sandbox per GET operation, with the first trip only. */
async function responses(): Promise<readonly (readonly [id: string, schema: string, body: string])[]> {
  const sandbox = createSandbox();
  const gets = Object.values(operations).filter(({ method }) => method === 'GET');
  return Promise.all(
    gets.map(async (operation) => {
      const { address, brand } = requestOf(operation);
      const headers = { Brand: brand, Authorization: `Bearer ${accessToken}` };
      const response = await sandbox.fetch(new Request(baseUrl + address, { headers }));
      const body = (await response.json()) as { data: Record<string, unknown> };
      const items: unknown = operation.series && body.data[operation.series.items];
      if (operation.series && Array.isArray(items)) body.data[operation.series.items] = items.slice(0, 1);
      return [operation.operationId, operation.responses['200'], JSON.stringify(body)] as const;
    }),
  );
}

/** A program that holds each response against the types of three generators and the schemas of three others. */
function checkOf(bodies: Awaited<ReturnType<typeof responses>>): string {
  const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
  return [
    "import type { components } from './openapi-typescript.ts';",
    "import type * as hey from './hey-api/types.gen.ts';",
    "import type * as sta from './swagger-typescript-api.ts';",
    "import * as kubb from './kubb/zod/index.ts';",
    "import * as orval from './orval.ts';",
    "import { schemas } from './openapi-zod-client.ts';",
    ...bodies.flatMap(([id, schema, body]) => [
      `const ${id} = ${body} satisfies components['schemas']['${schema}'] satisfies hey.${schema} satisfies sta.${schema};`,
      `kubb.${lowerFirst(schema)}Schema.parse(${id});`,
      `orval.${id}Response.parse(${id});`,
      `schemas.${schema}.parse(${id});`,
      `console.log('${id}: accepted by all six');`,
    ]),
    '',
  ].join('\n');
}

test.skipIf(!isWanted)(
  'the outputs of six generators compile and accept the responses of the sandbox',
  { timeout: 900_000 },
  async () => {
    folder = await mkdtemp(join(tmpdir(), 'generators-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'out'));
    const bodies = await responses();
    const files: Readonly<Record<string, string>> = {
      'package.json': '{ "private": true, "type": "module" }',
      'kubb.config.mjs': kubb,
      'out/check.ts': checkOf(bodies),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await copyFile(bundleFile('json'), join(folder, 'openapi.json'));
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages]);
    for (const [name, flags] of Object.entries(commands)) await run(process.execPath, [bin(name), ...flags.split(' ')]);
    await run(bin('tsc'), [...compilerFlags.split(' '), ...globSync('out/**/*.ts', { cwd: folder })]);
    const { stdout } = await run(process.execPath, ['out/check.ts']);
    expect(stdout.trim().split('\n')).toEqual(bodies.map(([id]) => `${id}: accepted by all six`));
  },
);
