// The quick start of the SDK and the tutorials as a newcomer does them: an empty folder, the packed packages, the commands and the programs as
// printed. docs-samples.test.ts plays the nightly export, which needs a database, and browser.test.ts "Where is my car".

import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { repository, run, startApp, stopProcess, temporaryFolder } from './apps.ts';
import { samplesOf, separator } from './markdown-samples.ts';

/** The packages that `npm install` would bring, packed as they are published; those of others are linked. */
async function install(folder: string): Promise<void> {
  const own = ['openapi', 'packages/validators', 'packages/client', 'packages/trip-view', 'apps/sandbox'];
  await Promise.all(
    own.map(async (path) => {
      const target = join(folder, 'node_modules/@vehicle-data', basename(path));
      await mkdir(target, { recursive: true });
      await run(`${repository}/node_modules/.bin/pnpm`, ['pack', '--out', `${target}.tgz`], {
        cwd: `${repository}/${path}`,
      });
      await run('tar', ['-x', '-z', '-f', `${target}.tgz`, '--strip-components=1', '-C', target]);
    }),
  );
  for (const [path, name] of [
    ['packages/client', 'openapi-fetch'],
    ['apps/sandbox', 'hono'],
    ['apps/sandbox', 'valibot'],
    ['apps/sandbox', '@hono/node-server'],
  ] as const) {
    const target = join(folder, 'node_modules', name);
    await mkdir(dirname(target), { recursive: true });
    await cp(await realpath(`${repository}/${path}/node_modules/${name}`), target, {
      recursive: true,
      dereference: true,
    });
  }
  await mkdir(`${folder}/node_modules/.bin`);
  await symlink('../@vehicle-data/sandbox/dist/node.js', `${folder}/node_modules/.bin/vds-sandbox`);
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vehicle-data-'));
  await install(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the quick start of the SDK runs as printed, with the packed packages in an empty folder', async () => {
  const [ofClient, ofSandbox, start, program] = await samplesOf('packages/client/README.md');
  expect(ofClient?.source.trim()).toBe('npm install @vehicle-data/client');
  expect(ofSandbox?.source.trim()).toBe('npm install @vehicle-data/sandbox');
  expect(start?.source.trim()).toBe('npx @vehicle-data/sandbox');
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { PATH: path, HOME: folder, npm_config_offline: 'true', VDS_SANDBOX_PORT: '0' };
  const [file = '', ...args] = `${start?.source.trim()}`.split(' ');
  const sandbox = spawn(file, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  onTestFinished(async () => {
    // npx ends with its program, which is in its group.
    if (sandbox.pid && sandbox.exitCode === null) process.kill(-sandbox.pid, 'SIGTERM');
    await stopProcess(sandbox);
  });
  let printed = '';
  const address = await new Promise<string>((resolve, reject) => {
    for (const stream of [sandbox.stdout, sandbox.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed += chunk;
        const [, found] = /listening on (http:\S+)\n/.exec(printed) ?? [];
        if (found !== undefined) resolve(found);
      });
    }
    sandbox.once('exit', (code) => reject(new Error(`it ended with ${code}: ${printed}`)));
  });

  await writeFile(`${folder}/quick-start.mjs`, `${program?.source}`.replaceAll('http://127.0.0.1:8788', address));
  const { stdout, stderr } = await run(process.execPath, ['quick-start.mjs'], { cwd: folder });
  expect(stdout.trim().split('\n').length).toBeGreaterThan(1);
  for (const line of stdout.trim().split('\n')) expect(line).toMatch(/^-?\d+\.\d+ -?\d+\.\d+$/);
  expect(stderr).toBe('');
  const readme = await readFile(`${folder}/node_modules/@vehicle-data/client/README.md`, 'utf8');
  expect(readme).toContain(`${program?.source}`);
}, 120_000);

test('each tutorial runs as printed, in an empty folder with the packages that it says to install', async () => {
  const sandbox = await startApp('sandbox', {});
  const proxy = await startApp('proxy', { VDS_UPSTREAM_URL: sandbox.address });
  for (const tutorial of ['trip-log', 'battery-voltage', 'consent-screen']) {
    const file = `apps/docs/guides/${tutorial}.md`;
    const [installation, program] = await samplesOf(file);
    const own = await temporaryFolder();
    await mkdir(`${own}/node_modules/@vehicle-data`, { recursive: true });
    const names = `${installation?.source}`.match(/@vehicle-data\/[a-z-]+/g) ?? [];
    for (const name of names) await symlink(`${folder}/node_modules/${name}`, `${own}/node_modules/${name}`);
    const [, saved = ''] = /Save this as `([a-z-]+\.ts)`/.exec(await readFile(`${repository}/${file}`, 'utf8')) ?? [];
    await writeFile(`${own}/${saved}`, `${program?.source}`.replaceAll('http://127.0.0.1:8787', proxy.address));
    const { stdout } = await run(process.execPath, [saved], { cwd: own });
    const printed = stdout.split(separator).map((part) => part.trim());
    for (const [index, output] of (program?.outputs ?? []).entries())
      if (output !== undefined) expect(printed[index], tutorial).toBe(output.text.trim());
  }
}, 120_000);
