import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

export const run = promisify(execFile);
export const packageFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** A project outside the repository that has nothing but the packed package, its one dependency and that one's types. */
export async function packedProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vehicle-data-client-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const installed = join(folder, 'node_modules/@vehicle-data/client');
  await mkdir(installed, { recursive: true });
  const pnpm = join(packageFolder, '../../node_modules/.bin/pnpm');
  await run(pnpm, ['pack', '--out', join(folder, 'client.tgz')], { cwd: packageFolder });
  await run('tar', ['-x', '-z', '-f', join(folder, 'client.tgz'), '--strip-components=1', '-C', installed]);
  const openapiFetch = await realpath(join(packageFolder, 'node_modules/openapi-fetch'));
  const copy = { recursive: true, dereference: true };
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    await cp(join(dirname(openapiFetch), name), join(folder, 'node_modules', name), copy);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  await cp(join(packageFolder, 'test/packed/exercise.js'), join(folder, 'exercise.js'));
  const program = 'console.log(JSON.stringify(await exercise(process.argv[2])));';
  const imports = "import process from 'node:process';\nimport { exercise } from './exercise.js';";
  await writeFile(join(folder, 'run.js'), `${imports}\n${program}\n`);
  // The type tests, as a program that uses the package would have them.
  const types = await readFile(join(packageFolder, 'test/types/client.types.ts'), 'utf8');
  const own = types.replaceAll(/'\.\.\/\.\.\/src(\/\w+)?\/index\.js'/g, "'@vehicle-data/client$1'");
  await writeFile(join(folder, 'consumer.ts'), own);
  return folder;
}

/** Makes a package of another folder importable in the project. */
export async function link(project: string, modules: string, name: string): Promise<void> {
  await mkdir(dirname(join(project, 'node_modules', name)), { recursive: true });
  await symlink(join(modules, name), join(project, 'node_modules', name));
}

/** Compiles the type tests in the project with a compiler; gives what it printed. */
export async function compileTypes(folder: string, compiler: string, options: object): Promise<string> {
  const compilerOptions = { strict: true, noEmit: true, target: 'es2022', types: [], exactOptionalPropertyTypes: true };
  const settings = { compilerOptions: { ...compilerOptions, ...options }, files: ['consumer.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) => error);
  return stdout;
}
