// What typescript-eslint sees of the packed package. Installs it first: npm run test:runtimes
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installPacked, packageFolder, run } from '../test/packed/install-packed.ts';

test('no-floating-promises reports a withdrawal that nobody awaits', async () => {
  const folder = await installPacked();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const modules = join(packageFolder, 'runtimes/node_modules');
  for (const name of ['eslint', 'typescript-eslint']) {
    await symlink(join(modules, name), join(folder, 'node_modules', name));
  }
  await symlink(join(modules, 'typescript'), join(folder, 'node_modules/typescript'));
  await writeFile(
    join(folder, 'a.ts'),
    `import { createVehicleDataClient } from '@vehicle-data/client';
const client = createVehicleDataClient({ baseUrl: 'http://127.0.0.1:1', brand: 'brand_a' });
client.stopSharing({ vin: 'SANDB0XA000000001' });
await client.stopSharing({ vin: 'SANDB0XA000000001' });
`,
  );
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, types: [], lib: ['es2022', 'dom'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['a.ts'] }));
  await writeFile(
    join(folder, 'eslint.config.js'),
    `import tseslint from 'typescript-eslint';
export default tseslint.config({
  files: ['a.ts'],
  extends: [tseslint.configs.recommendedTypeChecked],
  languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
});
`,
  );
  const eslint = join(modules, 'eslint/bin/eslint.js');
  const { stdout } = await run(process.execPath, [eslint, '--format', 'json', 'a.ts'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  const [file] = JSON.parse(stdout) as readonly { messages: readonly { line: number; ruleId: string }[] }[];
  expect(file?.messages.map(({ line, ruleId }) => `${line} ${ruleId}`)).toEqual([
    '3 @typescript-eslint/no-floating-promises',
  ]);
});
