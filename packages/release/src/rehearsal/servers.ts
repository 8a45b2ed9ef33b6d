import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { reservedPort } from '../../../../scripts/reserved-port.ts';
import type { RehearsalFolder } from './rehearsal-folder.ts';

/** A program that responds to HTTP requests. */
export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Starts a server on a free port of 127.0.0.1 and waits, for at most a minute, until it responds. */
export async function startServer(programOf: (port: number) => Program | Promise<Program>) {
  const port = await reservedPort();
  const url = `http://127.0.0.1:${port}`;
  const { command, args, cwd, env } = await programOf(port);
  // A process group of its own: npx starts the program as a child, and both have to end.
  const child = spawn(command, [...args], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (child.pid !== undefined && !hasEnded()) process.kill(-child.pid, 'SIGTERM');
    await closed;
  };
  child.once('error', ({ message }) => (output += message));
  for (const deadline = Date.now() + 60_000; Date.now() < deadline && !hasEnded(); await delay(100)) {
    if (await fetch(url).catch(() => undefined)) return { url, stop };
  }
  await stop();
  throw new Error(`${command} does not respond:\n${output}`);
}

/** The npm configuration file, inside the rehearsal's folder, that makes programs use the throw-away registry. */
export const registryNpmrc = 'registry-npmrc';

/**
 * Starts verdaccio, a throw-away npm registry on 127.0.0.1. The packages of this repository come from it alone; all others come
 * through it from the registry that the machine uses.
 */
export function startRegistry(folder: RehearsalFolder, tools: string): Promise<ServerProcess> {
  return startServer(async (port) => {
    const cwd = folder.in('registry');
    await mkdir(cwd);
    const config = {
      storage: `${cwd}/storage`,
      auth: { htpasswd: { file: `${cwd}/htpasswd`, max_users: -1 } },
      uplinks: { upstream: { url: folder.upstreamRegistry, maxage: '1h' } },
      packages: {
        '@vehicle-data/*': { access: '$all', publish: '$all' },
        '**': { access: '$all', proxy: 'upstream' },
      },
      web: { enable: false },
      log: { type: 'stdout', format: 'json', level: 'error' },
    };
    // JSON is YAML.
    await writeFile(`${cwd}/config.yaml`, JSON.stringify(config));
    // npm publishes with a token or not at all; verdaccio accepts any.
    const token = `//127.0.0.1:${port}/:_authToken=${'none'}`;
    await folder.writeNpmrc(registryNpmrc, `registry=http://127.0.0.1:${port}/`, token);
    const script = `${tools}/node_modules/verdaccio/bin/verdaccio`;
    const args = [script, '--config', `${cwd}/config.yaml`, '--listen', `127.0.0.1:${port}`];
    return { command: process.execPath, args, cwd, env: folder.env() };
  });
}
