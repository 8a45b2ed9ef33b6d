import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

export const run = promisify(execFile);
const typeTests = ['client.types.ts', 'libraries.types.ts'];
export const packageFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** A project outside the repository that has nothing but the packed libraries, their one dependency and that one's types. */
export async function packedProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vehicle-data-client-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const repository = join(packageFolder, '../..');
  const install = async (path: string) => {
    const installed = join(folder, 'node_modules/@vehicle-data', basename(path));
    await mkdir(installed, { recursive: true });
    const [pnpm, tarball] = [join(repository, 'node_modules/.bin/pnpm'), `${installed}.tgz`];
    await run(pnpm, ['pack', '--out', tarball], { cwd: join(repository, path) });
    await run('tar', ['-x', '-z', '-f', tarball, '--strip-components=1', '-C', installed]);
  };
  await Promise.all(['openapi', 'packages/validators', 'packages/client'].map(install));
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
  for (const name of typeTests) {
    const types = await readFile(join(packageFolder, 'test/types', name), 'utf8');
    const own = types
      .replaceAll(/'\.\.\/\.\.\/src(\/\w+)?\/index\.js'/g, "'@vehicle-data/client$1'")
      .replace("'../../../validators/dist/index.js'", "'@vehicle-data/validators'");
    await writeFile(join(folder, name), own);
  }
  return folder;
}

/** Makes a package of another folder importable in the project. */
export async function link(project: string, modules: string, name: string): Promise<void> {
  await mkdir(dirname(join(project, 'node_modules', name)), { recursive: true });
  await symlink(join(modules, name), join(project, 'node_modules', name));
}

/** Compiles the type tests in the project with a compiler; gives what it printed. */
export async function compileTypes(
  folder: string,
  compiler: string,
  options: object,
  files = typeTests,
  flags: readonly string[] = [],
): Promise<string> {
  const strict = { strict: true, exactOptionalPropertyTypes: true };
  // The declarations of the packages are checked, those of the compiler's own libraries are not.
  const compilerOptions = { ...strict, noEmit: true, target: 'es2022', types: [], skipDefaultLibCheck: true };
  const settings = { compilerOptions: { ...compilerOptions, ...options }, files };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const failed = (error: { stdout: string; stderr: string }) => error;
  const { stdout, stderr } = await run(process.execPath, [compiler, ...flags, '-p', folder]).catch(failed);
  return stdout + stderr;
}
