import { deepStrictEqual } from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { run } from '../../../../openapi/build/run.ts';
import type { Tarball } from '../tarball.ts';
import { isImported } from '../workspace.ts';
import { type NodeBinary, nodesToTry, type RehearsalFolder } from './rehearsal-folder.ts';
import { registryNpmrc, type ServerProcess, startServer } from './servers.ts';
import { step } from './step.ts';

const scope = '@vehicle-data';
/** Everything npm may put into an empty folder beside the package itself; the others bring a server. */
const installsOnly: Readonly<Record<string, readonly string[]>> = {
  [`${scope}/openapi`]: [],
  [`${scope}/validators`]: [],
  [`${scope}/client`]: ['openapi-fetch', 'openapi-typescript-helpers'],
};

type Consumer = Awaited<ReturnType<typeof createConsumer>>;

/** A folder of a user who installs a package with npm from the throw-away registry. */
async function createConsumer(rehearsal: RehearsalFolder, name: string, version: string) {
  const folder = rehearsal.in('consumers', name);
  const env = (node?: NodeBinary) => rehearsal.env(node ? [dirname(node.path)] : [], registryNpmrc);
  const runHere = (command: string, args: readonly string[], node?: NodeBinary) =>
    run(command, args, { cwd: folder, env: env(node) });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  // As their manifest has it later: every version up to the next major one.
  await runHere('npm', ['install', '--prefer-offline', `${name}@^${version.split('.', 1)[0]}`]);
  const lockfile = await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8');
  const installed: { packages: Readonly<Record<string, { version: string }>> } = JSON.parse(lockfile);
  return {
    folder,
    env,
    run: runHere,
    /** The version of everything that npm put into the folder, by name. */
    installed: new Map(
      Object.entries(installed.packages).map(([path, { version }]) => [path.replace(/^.*node_modules\//, ''), version]),
    ),
  };
}

/** Uses every published package the way its users do. */
export async function tryPublished(rehearsal: RehearsalFolder, tarballs: readonly Tarball[]): Promise<void> {
  const nodes = await nodesToTry();
  const consumers = new Map<string, Consumer>();
  for (const { manifest, name, version } of tarballs) {
    await step(`npm install ${name}@^${version.split('.', 1)[0]} in an empty folder`, async () => {
      const consumer = await createConsumer(rehearsal, name, version);
      consumers.set(name, consumer);
      deepStrictEqual(consumer.installed.get(name), version);
      const allowed = installsOnly[name];
      if (allowed !== undefined)
        deepStrictEqual([...consumer.installed.keys()].toSorted(), [name, ...allowed].toSorted());
      if (isImported(manifest))
        await consumer.run('node', ['--input-type=module', '--eval', `await import('${name}')`], nodes[0]);
    });
  }
  await tryServers(consumers, nodes);
}

/** Starts sandbox and proxy with npx, the second in front of the first, and runs each README's first sample. */
async function tryServers(consumers: ReadonlyMap<string, Consumer>, nodes: readonly NodeBinary[]): Promise<void> {
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
        deepStrictEqual(response.status, 200);
        for (const [name, consumer] of consumers) {
          const readme = await readFile(join(consumer.folder, 'node_modules', name, 'README.md'), 'utf8');
          const sample = /^```ts\n([\s\S]*?)^```$/m.exec(readme)?.[1];
          if (sample === undefined) continue;
          const addressed = sample
            .replaceAll('http://127.0.0.1:8787', proxy.url)
            .replaceAll('http://127.0.0.1:8788', sandbox.url);
          await writeFile(join(consumer.folder, 'sample.js'), stripTypeScriptTypes(addressed));
          await consumer.run('node', ['sample.js'], node);
        }
      });
      await step(
        `npx collects the fleet of the sandbox into a lake on Node ${node.version}, and finds it whole`,
        async () => {
          const [, proxy] = servers;
          const consumer = consumers.get(`${scope}/collector`);
          if (consumer === undefined || proxy === undefined) throw new Error('the collector or the proxy is missing');
          const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
          const account = ['--brand', 'brand_a', '--base-url', proxy.url, '--since', yesterday];
          const lake = ['--lake', `lake-${node.version}`];
          const collector = (...args: string[]) =>
            run('npx', ['--no', `${scope}/collector`, ...args], {
              cwd: consumer.folder,
              env: { ...consumer.env(node), VDS_ACCESS_TOKEN: 'demo-access-token' },
            });
          await collector('start', ...lake, ...account, '--once');
          const { vehicles, files } = JSON.parse(await collector('verify', ...lake, '--json'));
          if (!(vehicles > 0 && files > 0)) throw new Error(`the lake has ${files} files of ${vehicles} vehicles`);
        },
      );
    } finally {
      for (const server of servers.toReversed()) await server.stop();
    }
  }
}
