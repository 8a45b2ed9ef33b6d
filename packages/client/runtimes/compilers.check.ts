// The types of the packed libraries with older compilers and with typescript-eslint. Installs them first: npm run test:runtimes
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileTypes, link, packageFolder, packedProject, run } from '../test/packed/packed-project.ts';

const modules = join(packageFolder, 'runtimes/node_modules');
const project = await packedProject();

const resolutions = [
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'esnext', moduleResolution: 'bundler' },
  { module: 'esnext', moduleResolution: 'node10' },
];

test.each(['5.0', '5.6', '5.9'].flatMap((version) => resolutions.map((options) => [version, options] as const)))(
  'every type test holds with TypeScript %s and %o',
  async (version, options) => {
    // The declarations of openapi-fetch itself need a later one than 5.0.
    const settings = { ...options, lib: ['es2022', 'dom', 'dom.iterable'], skipLibCheck: version === '5.0' };
    // Node10 knows no `exports`; of the libraries, only the client has entries for it.
    const files = options.moduleResolution === 'node10' ? ['client.types.ts'] : undefined;
    expect(await compileTypes(project, join(modules, `typescript-${version}/bin/tsc`), settings, files)).toBe('');
  },
);

test('no-floating-promises reports a withdrawal that nobody awaits', async () => {
  for (const name of ['eslint', 'typescript-eslint', 'typescript']) await link(project, modules, name);
  const call = "client.stopSharing({ vin: 'SANDB0XA000000001' });";
  await writeFile(
    join(project, 'consumer.ts'),
    `import { createVehicleDataClient } from '@vehicle-data/client';
const client = createVehicleDataClient({ baseUrl: 'http://127.0.0.1:1', brand: 'brand_a' });
${call}
await ${call}
`,
  );
  const settings = { module: 'nodenext', lib: ['es2022', 'dom'] };
  await compileTypes(project, join(modules, 'typescript/bin/tsc'), settings, ['consumer.ts']);
  await writeFile(
    join(project, 'eslint.config.js'),
    `import tseslint from 'typescript-eslint';
export default tseslint.config({
  files: ['consumer.ts'],
  extends: [tseslint.configs.recommendedTypeChecked],
  languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
});
`,
  );
  const args = [join(modules, 'eslint/bin/eslint.js'), '--format', 'json', 'consumer.ts'];
  const { stdout } = await run(process.execPath, args, { cwd: project }).catch((error: { stdout: string }) => error);
  const [file] = JSON.parse(stdout) as readonly { messages: readonly object[] }[];
  expect(file?.messages).toMatchObject([{ line: 3, ruleId: '@typescript-eslint/no-floating-promises' }]);
});
