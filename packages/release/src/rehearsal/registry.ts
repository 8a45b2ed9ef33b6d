import { mkdir, writeFile } from 'node:fs/promises';
import type { RehearsalFolder } from './rehearsal-folder.ts';
import { type ServerProcess, startServer } from './server-process.ts';

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
