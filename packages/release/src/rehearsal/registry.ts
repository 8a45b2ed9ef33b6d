import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import getPort from 'get-port';
import type { RehearsalFolder } from './rehearsal-folder.ts';

/** A throw-away npm registry on 127.0.0.1. */
export interface Registry {
  readonly url: string;
  stop(): Promise<void>;
}

/** The npm configuration file, inside the rehearsal's folder, that makes programs use the throw-away registry. */
export const registryNpmrc = 'registry-npmrc';

/**
 * Starts verdaccio. Our own packages come from it alone, never from elsewhere; all others come through it from the
 * registry that the machine uses.
 */
export async function startRegistry(folder: RehearsalFolder, tools: string): Promise<Registry> {
  const port = await getPort();
  const url = `http://127.0.0.1:${port}/`;
  await mkdir(folder.in('registry'));
  const config = {
    storage: folder.in('registry', 'storage'),
    auth: { htpasswd: { file: folder.in('registry', 'htpasswd'), max_users: -1 } },
    uplinks: { upstream: { url: folder.upstreamRegistry, maxage: '1h' } },
    packages: {
      '@vehicle-data/*': { access: '$all', publish: '$all' },
      '**': { access: '$all', proxy: 'upstream' },
    },
    web: { enable: false },
    log: { type: 'stdout', format: 'json', level: 'error' },
  };
  // JSON is YAML.
  await writeFile(folder.in('registry', 'config.yaml'), JSON.stringify(config));
  // npm publishes with a token or not at all; verdaccio accepts any.
  const token = `//127.0.0.1:${port}/:_authToken=${'none'}`;
  await folder.writeNpmrc(registryNpmrc, [`registry=${url}`, token]);

  const script = `${tools}/node_modules/verdaccio/bin/verdaccio`;
  const child = spawn(
    process.execPath,
    [script, '--config', folder.in('registry', 'config.yaml'), '--listen', `127.0.0.1:${port}`],
    { cwd: dirname(folder.in('registry', 'config.yaml')), env: folder.env(), stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async () => {
    child.kill();
    await closed;
  };
  for (let attempt = 0; attempt < 150; attempt++) {
    if (child.exitCode !== null) throw new Error(`the registry ended:\n${output}`);
    const response = await fetch(`${url}-/ping`).catch(() => undefined);
    if (response?.ok) return { url, stop };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await stop();
  throw new Error(`the registry did not respond within thirty seconds:\n${output}`);
}
