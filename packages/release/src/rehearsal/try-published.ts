import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { step } from '../run.ts';
import type { Tarball } from '../tarball.ts';
import { type Consumer, createConsumer } from './consumer.ts';
import { type NodeBinary, nodesToTry, type RehearsalFolder } from './rehearsal-folder.ts';
import { inChromium, inWorkerd, platformBinary } from './runtimes.ts';
import { type ServerProcess, startServer } from './server-process.ts';

interface Published {
  readonly rehearsal: RehearsalFolder;
  readonly tarballs: readonly Tarball[];
  readonly tools: string;
  readonly runtimes: string;
}

const scope = '@vehicle-data';
/** Everything npm may put into an empty folder beside the package itself; the others bring a server. */
const installsOnly: Readonly<Record<string, readonly string[]>> = {
  [`${scope}/openapi`]: [],
  [`${scope}/validators`]: [],
  [`${scope}/client`]: ['openapi-fetch', 'openapi-typescript-helpers'],
};
const libraries = Object.keys(installsOnly);
const typescripts = ['5.0.4', '5.6.3', '5.9.3', '7.0.2'];

/** Uses every published package the way its users do. */
export async function tryPublished(published: Published): Promise<void> {
  const { rehearsal, tarballs } = published;
  const nodes = await nodesToTry();
  const consumers = new Map<string, Consumer>();
  for (const { name, version } of tarballs) {
    await step(`npm install ${name} in an empty folder`, async () => {
      const consumer = await createConsumer(rehearsal, name.replace(`${scope}/`, ''), [name]);
      consumers.set(name, consumer);
      expectEqual(consumer.installed.get(name), version);
      const allowed = installsOnly[name];
      if (allowed !== undefined) expectEqual([...consumer.installed.keys()].toSorted(), [name, ...allowed].toSorted());
      await consumer.run('node', ['--input-type=module', '--eval', `await import('${name}')`], nodes[0]);
    });
  }
  await tryServers(published, consumers, nodes);
  await tryRuntimes(published, nodes);
  await tryTypes(published);
}

/** Starts sandbox and proxy with npx, the second in front of the first, and runs each README's first sample. */
async function tryServers(
  { tools }: Published,
  consumers: ReadonlyMap<string, Consumer>,
  nodes: readonly NodeBinary[],
): Promise<void> {
  for (const node of nodes) {
    const servers: ServerProcess[] = [];
    const npx = async (name: string, portVariable: string, environment: NodeJS.ProcessEnv) => {
      const consumer = consumers.get(name);
      if (consumer === undefined) throw new Error(`${name} is not published`);
      const server = await startServer((port) => {
        const env = { ...consumer.env(node), [portVariable]: `${port}`, ...environment };
        return { command: 'npx', args: ['--no', name], cwd: consumer.folder, env };
      });
      servers.push(server);
      return server;
    };
    try {
      await step(`npx starts sandbox and proxy on Node ${node.version}, and the README samples run`, async () => {
        const sandbox = await npx(`${scope}/sandbox`, 'VDS_SANDBOX_PORT', {});
        const proxy = await npx(`${scope}/proxy`, 'VDS_PORT', { VDS_UPSTREAM_URL: sandbox.url });
        const headers = { Brand: 'brand_a', Authorization: 'Bearer demo-access-token' };
        const response = await fetch(`${proxy.url}/v1/vehicles/consent`, { headers });
        expectEqual(response.status, 200);
        for (const [name, consumer] of consumers) {
          const readme = await readFile(join(consumer.folder, 'node_modules', name, 'README.md'), 'utf8');
          const sample = /^```ts\n([\s\S]*?)^```$/m.exec(readme)?.[1];
          if (sample === undefined) continue;
          const addressed = sample
            .replaceAll('http://127.0.0.1:8787', proxy.url)
            .replaceAll('http://127.0.0.1:8788', sandbox.url);
          await writeFile(join(consumer.folder, 'sample.ts'), addressed);
          const esbuild = join(tools, 'node_modules/.bin/esbuild');
          await consumer.run(esbuild, ['sample.ts', '--format=esm', '--outfile=sample.js', '--log-level=error']);
          await consumer.run('node', ['sample.js'], node);
        }
      });
    } finally {
      for (const server of servers.toReversed()) await server.stop();
    }
  }
}

/** Runs one script, which uses the libraries, on every runtime, and expects the same response from each. */
async function tryRuntimes(
  { rehearsal, tarballs, tools, runtimes }: Published,
  nodes: readonly NodeBinary[],
): Promise<void> {
  const consumer = await step('npm install of the three libraries together', () =>
    createConsumer(rehearsal, 'all-libraries', libraries),
  );
  const expected = {
    contractVersion: tarballs.find(({ name }) => name === `${scope}/openapi`)?.version,
    path: '/v1/vehicles/consent',
    seen: ['GET /v1/vehicles/consent'],
    vins: ['SANDB0XA000000001'],
    verdicts: [true, false, true, false],
  };
  const holds = (output: string) => expectEqual(JSON.parse(output), expected);
  for (const node of nodes) {
    await step(`Node ${node.version}`, async () => holds(await consumer.run('node', ['command-line.js'], node)));
  }
  const deno = platformBinary(runtimes, '@deno/*/deno');
  const bun = platformBinary(runtimes, '@oven/*/bin/bun');
  const workerd = platformBinary(runtimes, '@cloudflare/*/bin/workerd');
  // No permissions: the packages need neither files nor network of their own accord.
  await step('Deno', async () => holds(await consumer.run(deno, ['run', '--no-prompt', 'command-line.js'])));
  await step('Bun', async () => holds(await consumer.run(bun, ['run', 'command-line.js'])));

  const esbuild = join(tools, 'node_modules/.bin/esbuild');
  const flags = ['--bundle', '--minify', '--format=esm', '--log-level=error'];
  const bundle = (input: string, output: string, target: string) =>
    consumer.run(esbuild, [input, `--outfile=${output}`, target, ...flags]);
  await step('workerd, bundled with esbuild', async () => {
    await bundle('worker.js', 'worker.bundle.js', '--conditions=workerd,worker');
    holds(await inWorkerd(consumer, workerd, 'worker.bundle.js'));
  });
  const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (chromium === undefined) throw new Error('Chromium is needed: apt-get install chromium');
  await step('Chromium, bundled with esbuild', async () => {
    await bundle('browser.js', 'browser.bundle.js', '--platform=browser');
    holds(await inChromium(consumer, chromium, 'browser.bundle.js'));
  });
}

/** Type-checks a consumer with each compiler. Its lines marked `@ts-expect-error` fail where the types accept too much. */
async function tryTypes({ rehearsal }: Published): Promise<void> {
  for (const version of typescripts) {
    await step(`TypeScript ${version} checks a consumer`, async () => {
      const packages = [...libraries, `typescript@${version}`];
      const consumer = await createConsumer(rehearsal, `typescript-${version}`, packages);
      const strict = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable'];
      // The declarations of openapi-fetch itself need a later one than 5.0.
      if (version.startsWith('5.0')) strict.push('--skipLibCheck');
      const tsc = join(consumer.folder, 'node_modules/.bin/tsc');
      await consumer.run(tsc, [...strict, '--module', 'nodenext', 'types.ts']);
      await consumer.run(tsc, [...strict, '--module', 'esnext', '--moduleResolution', 'bundler', 'types.ts']);
    });
  }
}

function expectEqual(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) {
    throw new Error(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
  }
}
