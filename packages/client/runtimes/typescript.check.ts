// The types of the packed package with older compilers. Installs them first: npm run test:runtimes
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPacked, packageFolder, run } from '../test/packed/install-packed.ts';

let folder: string;
let remove: () => Promise<void>;

beforeAll(async () => {
  ({ folder, remove } = await installPacked());
  const own = (await readFile(join(packageFolder, 'test/types/client.types.ts'), 'utf8')).replaceAll(
    /'\.\.\/\.\.\/src(\/\w+)?\/index\.js'/g,
    (_, path = '') => `'@vehicle-data/client${path}'`,
  );
  await writeFile(join(folder, 'consumer.ts'), own);
});
afterAll(() => remove());

const resolutions = [
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'esnext', moduleResolution: 'bundler' },
  { module: 'esnext', moduleResolution: 'node10' },
];

test.each(['5.0', '5.6', '5.9'].flatMap((version) => resolutions.map((options) => [version, options] as const)))(
  'every type test holds with TypeScript %s and %o',
  async (version, options) => {
    const compilerOptions = {
      ...options,
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: 'es2022',
      types: [],
      lib: ['es2022', 'dom', 'dom.iterable'],
      skipLibCheck: true,
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    const compiler = join(packageFolder, `runtimes/node_modules/typescript-${version}/bin/tsc`);
    const { stdout } = await run(process.execPath, [compiler, '-p', 'tsconfig.json'], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  },
);
