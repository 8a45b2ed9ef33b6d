#!/usr/bin/env node
// The sandbox as a command, and the files that it reads and writes. The only place that knows Node.
import fs from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { z } from 'zod';
import { createSandbox, exportFixtures, replaySession, type StateStore } from './index.js';
import { recordedCall } from './recording.js';

const usage = `vds-sandbox: the vehicle data service, playable without a car

vds-sandbox                     starts the service
vds-sandbox export              writes responses about one vehicle in one month to files
vds-sandbox replay FILE         plays a recording again; ends with 1 if a response differs

  --host HOST                   address to listen on (VDS_SANDBOX_HOST, HOST; 127.0.0.1 by default)
  --port PORT                   port, 0 for any free one (VDS_SANDBOX_PORT, PORT; 8788 by default)
  --seed NUMBER                 another history of the fleet (1 by default)
  --vehicles NUMBER             size of the fleet, up to 1000000 (15 by default)
  --brands NAMES                brand names separated by commas, in place of the contract's, by position
  --sensor-noise SWITCH         on or off: whether sensors are noisy (on by default)
  --state FILE                  keep consent and tokens in this file (in memory alone by default)
  --record FILE                 record every call in this new file (not recorded by default)
  --access-token-seconds N      lifetime of access tokens (3600 by default)
  --refresh-token-seconds N     lifetime of refresh tokens (7776000 by default)
  --vin VIN                     export: the vehicle
  --month MONTH                 export: the month, as yyyy-MM
  --out FOLDER                  export: where the files go (the current folder by default)
  --help                        show this
`;

const digits = z.string().regex(/^[0-9]+$/);
const whole = (highest: number) => digits.transform(Number).pipe(z.int().max(highest));
const seconds = whole(1e9).transform((value) => value * 1000);

const settings = z.object({
  host: z.string().min(1),
  port: whole(65_535),
  seed: whole(2_147_483_647).optional(),
  vehicles: whole(1_000_000).optional(),
  brands: z
    .string()
    .regex(/^[\w.-]+(?:,[\w.-]+)*$/, 'must be names separated by commas, without spaces')
    .transform((names) => names.split(','))
    .optional(),
  'sensor-noise': z.stringbool({ truthy: ['on'], falsy: ['off'] }).optional(),
  state: z.string().optional(),
  record: z.string().optional(),
  'access-token-seconds': seconds.default(3_600_000),
  'refresh-token-seconds': seconds.default(7_776_000_000),
  vin: z.string().default(''),
  month: z.string().default(''),
  out: z.string().default('.'),
});
type Settings = z.output<typeof settings>;

/** What a recording needs of the sandbox that made it. */
const recordedOptions = z
  .object({
    version: z.literal(1),
    seed: z.number(),
    vehicles: z.number(),
    brands: z.array(z.string()),
    sensorNoise: z.boolean(),
  })
  .partial({ seed: true, vehicles: true, brands: true, sensorNoise: true });
const fleetOptions = ({ seed, vehicles, brands, 'sensor-noise': sensorNoise }: Settings) => ({
  seed,
  vehicles,
  brands,
  sensorNoise,
});

/** Keeps a text in a file: written beside it, forced to the disk, then renamed over it, so that the file is whole at any moment. */
function stateFile(path: string): StateStore {
  return {
    load() {
      fs.accessSync(dirname(path), fs.constants.W_OK);
      return fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : null;
    },
    save(text) {
      fs.writeFileSync(`${path}.tmp`, text, { mode: 0o600, flush: true });
      fs.renameSync(`${path}.tmp`, path);
    },
  };
}

/** Starts a recording in a new file: one that exists may hold a session that another process still records. */
function startRecording(path: string, options: z.input<typeof recordedOptions>): void {
  try {
    fs.writeFileSync(path, `${JSON.stringify(options)}\n`, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    fail(code === 'EEXIST' ? 'the recording exists; choose another file with --record' : message);
  }
}

function start(values: Settings): void {
  const { host, port, state, record } = values;
  const sandbox = createSandbox({
    ...fleetOptions(values),
    state: state === undefined ? undefined : stateFile(state),
    onCall: record === undefined ? undefined : (call) => fs.appendFileSync(record, `${JSON.stringify(call)}\n`),
    tokenLifetimes: { accessMs: values['access-token-seconds'], refreshMs: values['refresh-token-seconds'] },
  });
  const shown = host.includes(':') ? `[${host}]` : host;
  const server = serve({ fetch: (request) => sandbox.fetch(request), hostname: host, port }, (address: AddressInfo) => {
    if (record !== undefined) startRecording(record, { version: 1, ...fleetOptions(values) });
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

async function exportFiles(values: Settings): Promise<void> {
  const { vin, month, out } = values;
  fs.mkdirSync(out, { recursive: true });
  for await (const { name, text } of exportFixtures({ vin, month, ...fleetOptions(values) })) {
    fs.writeFileSync(join(out, name), text);
    process.stdout.write(`${join(out, name)}\n`);
  }
}

async function replay(path: string): Promise<void> {
  const [header, ...lines] = fs.readFileSync(path, 'utf8').trim().split('\n');
  const calls = lines.map((line) => recordedCall.parse(JSON.parse(line)));
  const differences = await replaySession(calls, recordedOptions.parse(JSON.parse(header ?? '')));
  for (const { index, recorded: call, status } of differences) {
    process.stdout.write(`call ${index + 1} at ${call.at}: recorded ${call.status}, now ${status}\n`);
  }
  process.stdout.write(`${calls.length} calls replayed, ${differences.length} with another response\n`);
  if (differences.length > 0) process.exitCode = 1;
}

// A reader that leaves early, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

function fail(message: string): never {
  process.stderr.write(`vds-sandbox: ${message.split('\n')[0]}\n`);
  process.exit(1);
}

try {
  const names = Object.keys(settings.shape).map((name) => [name, { type: 'string' }] as const);
  const options = { ...Object.fromEntries(names), help: { type: 'boolean' } } as const;
  const { values: given, positionals } = parseArgs({ options, allowPositionals: true });
  const [command, file = ''] = positionals;
  const { VDS_SANDBOX_HOST, HOST, VDS_SANDBOX_PORT, PORT } = process.env;
  // An empty variable is an unset one.
  const host = VDS_SANDBOX_HOST || HOST || '127.0.0.1';
  const port = VDS_SANDBOX_PORT || PORT || '8788';
  const values = () => settings.parse({ host, port, ...given });
  if (given.help) process.stdout.write(usage);
  else if (command === undefined) start(values());
  else if (command === 'export') await exportFiles(values());
  else if (command === 'replay') await replay(file);
  else fail('the command must be export, replay or none');
} catch (error) {
  const [issue] = error instanceof z.ZodError ? error.issues : [];
  if (issue) fail(`${issue.path.length > 0 ? `--${issue.path.join('.')}` : 'a value'} is not valid: ${issue.message}`);
  fail(error instanceof Error ? error.message : 'failed to start');
}
