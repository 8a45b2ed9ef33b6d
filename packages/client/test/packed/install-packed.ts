import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';

export const run = promisify(execFile);
export const packageFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const bin = join(packageFolder, 'node_modules/.bin');

/** `installPacked()` for all tests of a file. */
export function packedProject(...others: readonly string[]): { readonly folder: string } {
  const project = { folder: '' };
  beforeAll(async () => {
    project.folder = await installPacked(...others);
  }, 60_000);
  afterAll(() => rm(project.folder, { recursive: true, force: true }));
  return project;
}

/**
 * An empty project outside the repository with the packed package in it, installed from tarballs alone and without network, as
 * `npm install` would from a registry. `others` are packages of this repository to put beside it.
 */
export async function installPacked(...others: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vehicle-data-client-'));
  const packs = join(folder, 'packs');
  await mkdir(packs);
  for (const name of ['client', ...others]) {
    await run('pnpm', ['pack', '--pack-destination', packs], { cwd: join(packageFolder, '..', name) });
  }
  // The one dependency and its types, from where the workspace has them.
  const openapiFetch = await realpath(join(packageFolder, 'node_modules/openapi-fetch'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    const copy = join(folder, 'sources', name);
    await cp(join(dirname(openapiFetch), name), copy, { recursive: true, dereference: true });
    const manifest = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8')) as Record<string, unknown>;
    await writeFile(join(copy, 'package.json'), JSON.stringify({ ...manifest, scripts: {}, devDependencies: {} }));
    await run('npm', ['pack', '--pack-destination', packs], { cwd: copy });
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const tarballs = (await readdir(packs)).map((name) => join(packs, name));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: folder });
  await cp(join(packageFolder, 'test/packed/exercise.js'), join(folder, 'exercise.js'));
  return folder;
}

/** Compiles files of the project with the workspace's TypeScript; gives what it printed. */
export async function compile(folder: string, options: object, files: readonly string[]): Promise<string> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    types: [],
    exactOptionalPropertyTypes: true,
    ...options,
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  return run(join(bin, 'tsc'), ['-p', 'tsconfig.json'], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? String(error),
  );
}
