// The docs site is a package of its own: what the proxy serves with it and without it, installed as npm installs them.
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { repository, startProgram, temporaryFolder } from './apps.ts';

const proxyFolder = join(repository, 'apps/proxy');
const built = join(repository, 'apps/docs');

/** A folder with the proxy in its node_modules, and the docs where `docsIn` says. Gives the program and what it serves. */
async function install(docsIn?: 'flat' | 'nested') {
  const modules = join(await temporaryFolder(), 'node_modules');
  const proxy = join(modules, docsIn === 'nested' ? '@vehicle-data/all/node_modules' : '', '@vehicle-data/proxy');
  await mkdir(dirname(proxy), { recursive: true });
  for (const file of ['package.json', 'dist'])
    await cp(join(proxyFolder, file), join(proxy, file), { recursive: true });
  const link = async (target: string, path: string) => {
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
  };
  for (const name of ['openapi', 'validators'])
    await link(join(proxyFolder, 'node_modules/@vehicle-data', name), join(modules, '@vehicle-data', name));
  for (const name of await readdir(join(proxyFolder, 'node_modules')))
    if (!/^(\.|@vehicle-data$)/.test(name)) await link(join(proxyFolder, 'node_modules', name), join(modules, name));
  if (docsIn) {
    const docs = join(modules, '@vehicle-data/docs');
    await mkdir(docs);
    for (const file of ['package.json', 'dist']) await symlink(join(built, file), join(docs, file));
  }
  return join(proxy, 'dist/node.js');
}

const start = (program: string) => startProgram([program, '--port', '0', '--upstream', 'http://127.0.0.1:9']);

it('the docs are served where their package is installed, beside the proxy or above it', async () => {
  const page = await readFile(join(built, 'dist/guides/errors/index.html'), 'utf8');
  for (const docsIn of ['flat', 'nested'] as const) {
    const { address } = await start(await install(docsIn));
    expect(await (await fetch(`${address}/docs/guides/errors/`)).text(), docsIn).toBe(page);
    expect((await fetch(`${address}/llms.txt`)).status).toBe(200);
  }
});

it('without the package of the docs, the contract is served all the same, and the proxy is 3 MB at most', async () => {
  const program = await install();
  const { address } = await start(program);
  for (const path of ['/docs/', '/llms.txt']) expect((await fetch(address + path)).status, path).toBe(404);
  expect(await (await fetch(`${address}/openapi.json`)).json()).toHaveProperty('openapi');
  const { files }: { files: readonly string[] } = JSON.parse(await readFile(join(proxyFolder, 'package.json'), 'utf8'));
  const sizes = await Promise.all(
    files.map(async (name) => {
      const entries = await readdir(join(proxyFolder, name), { recursive: true, withFileTypes: true }).catch(() => []);
      const read = entries.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name)));
      return (await Promise.all(read)).reduce((sum, { length }) => sum + length, 0);
    }),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(3_000_000);
});
