#!/usr/bin/env node
// The sandbox as a command, and the only file that knows Node.
import { accessSync, closeSync, constants, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { createSandbox, type SandboxOptions, type StateStore } from './index.js';

const usage = `vds-sandbox: the vehicle data service, playable without a car

  --host HOST                   address to listen on (VDS_SANDBOX_HOST, HOST; 127.0.0.1 unless set)
  --port PORT                   port, 0 for any free one (VDS_SANDBOX_PORT, PORT; 8788 unless set)
  --seed NUMBER                 another history of the fleet (1 unless set)
  --state FILE                  keep consent and tokens in this file (in memory alone unless set)
  --access-token-seconds N      lifetime of access tokens (3600 unless set)
  --refresh-token-seconds N     lifetime of refresh tokens (7776000 unless set)
  --help                        show this
`;

/** A mistake on the command line or in the surroundings, told in one line. */
class StartError extends Error {}

/** Keeps a text in a file: written beside it, forced to the disk, then renamed over it, so that the file is whole at any moment. */
function stateFile(path: string): StateStore {
  return {
    load() {
      try {
        accessSync(dirname(path), constants.W_OK);
      } catch (error) {
        throw new StartError(
          `the folder of the state file cannot be written (${(error as NodeJS.ErrnoException).code})`,
        );
      }
      try {
        return readFileSync(path, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw new StartError(`the state file cannot be read (${(error as NodeJS.ErrnoException).code})`);
      }
    },
    save(text) {
      const temporary = `${path}.tmp`;
      const file = openSync(temporary, 'w', 0o600);
      try {
        writeSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(temporary, path);
      const folder = openSync(dirname(path), 'r');
      try {
        fsyncSync(folder);
      } finally {
        closeSync(folder);
      }
    },
  };
}

function wholeNumber(text: string | undefined, name: string, highest: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value > highest)
    throw new StartError(`${name} must be a whole number up to ${highest}`);
  return value;
}

interface Settings {
  readonly host: string;
  readonly port: number;
  readonly options: SandboxOptions;
}

function readSettings(): Settings | undefined {
  const { values } = parseArgs({
    options: {
      host: { type: 'string' },
      port: { type: 'string' },
      seed: { type: 'string' },
      state: { type: 'string' },
      'access-token-seconds': { type: 'string' },
      'refresh-token-seconds': { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return undefined;
  const { env } = process;
  const accessSeconds = wholeNumber(values['access-token-seconds'], '--access-token-seconds', 1e9);
  const refreshSeconds = wholeNumber(values['refresh-token-seconds'], '--refresh-token-seconds', 1e9);
  return {
    host: values.host ?? env['VDS_SANDBOX_HOST'] ?? env['HOST'] ?? '127.0.0.1',
    port: wholeNumber(values.port ?? env['VDS_SANDBOX_PORT'] ?? env['PORT'], 'the port', 65_535) ?? 8788,
    options: {
      seed: wholeNumber(values.seed, '--seed', 2_147_483_647),
      state: values.state === undefined ? undefined : stateFile(values.state),
      tokenLifetimes: {
        ...(accessSeconds !== undefined && { accessMs: accessSeconds * 1000 }),
        ...(refreshSeconds !== undefined && { refreshMs: refreshSeconds * 1000 }),
      },
    },
  };
}

function fail(message: string): never {
  process.stderr.write(`vds-sandbox: ${message.split('\n')[0]}\n`);
  process.exit(1);
}

function start({ host, port, options }: Settings): void {
  const sandbox = createSandbox(options);
  const shown = host.includes(':') ? `[${host}]` : host;
  const server = serve({ fetch: sandbox.fetch, hostname: host, port }, (address: AddressInfo) => {
    process.stdout.write(`sandbox listening on http://${shown}:${address.port}\n`);
  }) as Server;
  server.on('error', (error: NodeJS.ErrnoException) => {
    fail(error.code === 'EADDRINUSE' ? `port ${port} on ${host} is in use; choose another with --port` : error.message);
  });
  const stop = () => {
    server.close(() => process.exit(0));
    // Calls under way may stand in a stalled or delayed answer for ever.
    server.closeAllConnections();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

try {
  const settings = readSettings();
  if (settings === undefined) process.stdout.write(usage);
  else start(settings);
} catch (error) {
  fail(error instanceof Error ? error.message : 'failed to start');
}
