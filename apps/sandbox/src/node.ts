#!/usr/bin/env node
// The sandbox as a command. With the two files that it reads and writes, the only place that knows Node.
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { createSandbox, exportFixtures, replaySession, type SandboxOptions } from './index.js';
import { readRecording, recordingFile } from './recording-file.js';
import { StartError, stateFile } from './state-file.js';

const usage = `vds-sandbox: the vehicle data service, playable without a car

vds-sandbox                     starts the service
vds-sandbox export              writes responses about one vehicle in one month to files
vds-sandbox replay FILE         plays a recording again; ends with 1 if a response differs

  --host HOST                   address to listen on (VDS_SANDBOX_HOST, HOST; 127.0.0.1 by default)
  --port PORT                   port, 0 for any free one (VDS_SANDBOX_PORT, PORT; 8788 by default)
  --seed NUMBER                 another history of the fleet (1 by default)
  --vehicles NUMBER             size of the fleet, up to 1000000 (15 by default)
  --sensor-noise SWITCH         on or off: whether sensors are noisy (on by default)
  --state FILE                  keep consent and tokens in this file (in memory alone by default)
  --record FILE                 record every call in this file (not recorded by default)
  --access-token-seconds N      lifetime of access tokens (3600 by default)
  --refresh-token-seconds N     lifetime of refresh tokens (7776000 by default)
  --vin VIN                     export: the vehicle
  --month MONTH                 export: the month, as yyyy-MM
  --out FOLDER                  export: where the files go (the current folder by default)
  --help                        show this
`;

const options = {
  host: { type: 'string' },
  port: { type: 'string' },
  seed: { type: 'string' },
  vehicles: { type: 'string' },
  'sensor-noise': { type: 'string' },
  state: { type: 'string' },
  record: { type: 'string' },
  'access-token-seconds': { type: 'string' },
  'refresh-token-seconds': { type: 'string' },
  vin: { type: 'string' },
  month: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const readArguments = () => parseArgs({ options, allowPositionals: true });
type Values = ReturnType<typeof readArguments>['values'];

function wholeNumber(text: string | undefined, name: string, highest: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value > highest) {
    throw new StartError(`${name} must be a whole number up to ${highest}`);
  }
  return value;
}

/** The options that decide what the fleet does. */
function fleetOptions(values: Values) {
  const noise = values['sensor-noise'];
  if (noise !== undefined && noise !== 'on' && noise !== 'off')
    throw new StartError('--sensor-noise must be on or off');
  return {
    seed: wholeNumber(values.seed, '--seed', 2_147_483_647),
    vehicles: wholeNumber(values.vehicles, '--vehicles', 1_000_000),
    sensorNoise: noise === undefined ? undefined : noise === 'on',
  };
}

function sandboxOptions(values: Values): SandboxOptions {
  const fleet = fleetOptions(values);
  const accessSeconds = wholeNumber(values['access-token-seconds'], '--access-token-seconds', 1e9);
  const refreshSeconds = wholeNumber(values['refresh-token-seconds'], '--refresh-token-seconds', 1e9);
  return {
    ...fleet,
    state: values.state === undefined ? undefined : stateFile(values.state),
    onCall: values.record === undefined ? undefined : recordingFile(values.record, fleet),
    tokenLifetimes: {
      ...(accessSeconds !== undefined && { accessMs: accessSeconds * 1000 }),
      ...(refreshSeconds !== undefined && { refreshMs: refreshSeconds * 1000 }),
    },
  };
}

function start(values: Values): void {
  const { env } = process;
  const host = values.host ?? env['VDS_SANDBOX_HOST'] ?? env['HOST'] ?? '127.0.0.1';
  const port = wholeNumber(values.port ?? env['VDS_SANDBOX_PORT'] ?? env['PORT'], 'the port', 65_535) ?? 8788;
  const sandbox = createSandbox(sandboxOptions(values));
  const shown = host.includes(':') ? `[${host}]` : host;
  const fetch = (request: Request) => sandbox.fetch(request);
  const server = serve({ fetch, hostname: host, port }, (address: AddressInfo) => {
    process.stdout.write(`sandbox listening on http://${shown}:${address.port}\n`);
  }) as Server;
  server.on('error', (error: NodeJS.ErrnoException) => {
    fail(error.code === 'EADDRINUSE' ? `port ${port} on ${host} is in use; choose another with --port` : error.message);
  });
  const stop = () => {
    server.close(() => process.exit(0));
    // Calls under way may be in a stalled or delayed response for ever.
    server.closeAllConnections();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

async function exportFiles(values: Values): Promise<void> {
  const { vin, month, out = '.' } = values;
  if (vin === undefined || month === undefined) throw new StartError('export needs --vin and --month');
  mkdirSync(out, { recursive: true });
  for await (const { name, text } of exportFixtures({ vin, month, ...fleetOptions(values) })) {
    writeFileSync(join(out, name), text);
    process.stdout.write(`${join(out, name)}\n`);
  }
}

async function replay(path: string | undefined): Promise<void> {
  if (path === undefined) throw new StartError('replay needs the file of a recording');
  const { options: recorded, calls } = readRecording(path);
  const differences = await replaySession(calls, recorded);
  for (const { index, recorded: call, status } of differences) {
    process.stdout.write(`call ${index + 1} at ${call.at}: recorded ${call.status}, now ${status}\n`);
  }
  process.stdout.write(`${calls.length} calls replayed, ${differences.length} with another response\n`);
  if (differences.length > 0) process.exitCode = 1;
}

function fail(message: string): never {
  process.stderr.write(`vds-sandbox: ${message.split('\n')[0]}\n`);
  process.exit(1);
}

try {
  const { values, positionals } = readArguments();
  const [command, file] = positionals;
  if (values.help) process.stdout.write(usage);
  else if (command === undefined) start(values);
  else if (command === 'export') await exportFiles(values);
  else if (command === 'replay') await replay(file);
  else throw new StartError('the command must be export, replay or none');
} catch (error) {
  fail(error instanceof Error ? error.message : 'failed to start');
}
