// The types of the packed package with older compilers. Installs them first: npm run test:runtimes
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { packageFolder, packedProject, run } from '../test/packed/install-packed.ts';

const project = packedProject();

beforeAll(async () => {
  const own = (await readFile(join(packageFolder, 'test/types/client.types.ts'), 'utf8')).replaceAll(
    /'\.\.\/\.\.\/src(\/\w+)?\/index\.js'/g,
    (_, path = '') => `'@vehicle-data/client${path}'`,
  );
  await writeFile(join(project.folder, 'consumer.ts'), own);
});

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
    await writeFile(join(project.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    const compiler = join(packageFolder, `runtimes/node_modules/typescript-${version}/bin/tsc`);
    const { stdout } = await run(process.execPath, [compiler, '-p', 'tsconfig.json'], { cwd: project.folder }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  },
);
