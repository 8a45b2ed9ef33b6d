#!/usr/bin/env node
// The sandbox as a command, and the files that it reads and writes. The only place that knows Node.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import * as v from 'valibot';
import { createSandbox, exportFixtures, type OwnerSources, type StateStore } from './index.js';
import { reasonOf } from './reason-of.js';

const usage = `vds-sandbox: the vehicle data service, playable without a car

vds-sandbox                     starts the service
vds-sandbox export              writes responses about one vehicle in one month to files

  --host HOST                   address to listen on (VDS_SANDBOX_HOST, HOST; 127.0.0.1 by default)
  --port PORT                   port, 0 for any free one (VDS_SANDBOX_PORT, PORT; 8788 by default)
  --seed NUMBER                 another history of the fleet (1 by default)
  --vehicles NUMBER             size of the fleet, up to 1000000 (15 by default)
  --brands NAMES                brand names separated by commas, in place of the contract's, by position
  --sensor-noise SWITCH         on or off: whether sensors are noisy (on by default)
  --state FILE                  keep consent and tokens in this file (in memory alone by default)
  --access-token-seconds N      lifetime of access tokens (3600 by default)
  --refresh-token-seconds N     lifetime of refresh tokens (7776000 by default)
  --owner-proxy URL             /owner: withdraw through this proxy
  --owner-who PROGRAM           /owner: prints who has read a vehicle (vds-proxy audit who --json) whose VIN it reads from its input
  --owner-receipts FOLDER       /owner: receipts of the proxy
  --vin VIN                     export: the vehicle
  --month MONTH                 export: the month, as yyyy-MM
  --out FOLDER                  export: where the files go (the current folder by default)
  --help                        show this
  --version                     show the version of this package
`;

const whole = (highest: number) =>
  v.pipe(
    v.string(),
    v.check((text) => /^[0-9]{1,16}$/.test(text) && Number(text) <= highest, `must be a whole number up to ${highest}`),
    v.transform(Number),
  );
const seconds = v.pipe(
  whole(1e9),
  v.transform((value) => value * 1000),
);
const names = v.pipe(
  v.string(),
  v.check((text) => /^[\w.-]+(?:,[\w.-]+)*$/.test(text), 'must be names separated by commas, without spaces'),
  v.transform((text) => text.split(',')),
);
const onOrOff = v.pipe(
  v.picklist(['on', 'off']),
  v.transform((text) => text === 'on'),
);

const settings = v.object({
  host: v.pipe(
    v.string(),
    v.check((text) => text !== '', 'must not be empty'),
  ),
  port: whole(65_535),
  seed: v.optional(whole(2_147_483_647)),
  vehicles: v.optional(whole(1_000_000)),
  brands: v.optional(names),
  'sensor-noise': v.optional(onOrOff),
  state: v.optional(v.string()),
  'access-token-seconds': v.optional(seconds, '3600'),
  'refresh-token-seconds': v.optional(seconds, '7776000'),
  'owner-proxy': v.optional(
    v.pipe(
      v.string(),
      v.check((text) => /^https?:/.test(text) && URL.canParse(text), 'must be an http or https address'),
    ),
  ),
  'owner-who': v.optional(v.string()),
  'owner-receipts': v.optional(v.string()),
  vin: v.optional(v.string(), ''),
  month: v.optional(v.string(), ''),
  out: v.optional(v.string(), '.'),
});
type Settings = v.InferOutput<typeof settings>;

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

/** Where the page of an owner has from what it shows. */
function ownerSources({ 'owner-proxy': proxyUrl, 'owner-who': who, 'owner-receipts': folder }: Settings): OwnerSources {
  return {
    proxyUrl,
    who: who === undefined ? undefined : (vin) => outputOf(who, vin),
    receipts: folder === undefined ? undefined : async (brand, vehicle) => receiptsIn(folder, brand, vehicle),
  };
}

/** Receipts of a vehicle that are looked for, and those that are shown: the newest. */
const [maxReceipts, maxShownReceipts] = [1000, 20];

/** A proxy counts the receipts of a vehicle in their names, so that nobody has to list the folder. */
function receiptsIn(folder: string, brand: string, vehicle: string): readonly string[] {
  const pathOf = (count: number) => join(folder, `${brand}-${vehicle}-${count}.json`);
  let count = 0;
  while (count < maxReceipts && fs.existsSync(pathOf(count + 1))) count++;
  const shown = Array.from({ length: Math.min(count, maxShownReceipts) }, (_, index) => pathOf(count - index));
  return shown.map((path) => fs.readFileSync(path, 'utf8'));
}

/** What a program prints that gets a VIN as its input: no list of processes shows it. */
function outputOf(program: string, vin: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, { timeout: 30_000, maxBuffer: 16_777_216 }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(new Error('the program of --owner-who failed')),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(vin);
  });
}

function start(values: Settings): void {
  const { host, port, state } = values;
  const sandbox = createSandbox({
    ...fleetOptions(values),
    state: state === undefined ? undefined : stateFile(state),
    owner: ownerSources(values),
    tokenLifetimes: { accessMs: values['access-token-seconds'], refreshMs: values['refresh-token-seconds'] },
  });
  const shown = host.includes(':') ? `[${host}]` : host;
  const server = serve({ fetch: (request) => sandbox.fetch(request), hostname: host, port }, (address: AddressInfo) => {
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

function ownVersion(): string {
  const file = fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return v.parse(v.object({ version: v.string() }), JSON.parse(file)).version;
}

// A reader that leaves early, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

function fail(message: string): never {
  process.stderr.write(`vds-sandbox: ${message.split('\n')[0]}\n`);
  process.exit(1);
}

try {
  const names = Object.keys(settings.entries).map((name) => [name, { type: 'string' }] as const);
  const options = { ...Object.fromEntries(names), help: { type: 'boolean' }, version: { type: 'boolean' } } as const;
  const { values: given, positionals } = parseArgs({ options, allowPositionals: true });
  const [command] = positionals;
  const { VDS_SANDBOX_HOST, HOST, VDS_SANDBOX_PORT, PORT } = process.env;
  // An empty variable is an unset one.
  const host = VDS_SANDBOX_HOST || HOST || '127.0.0.1';
  const port = VDS_SANDBOX_PORT || PORT || '8788';
  const values = () => v.parse(settings, { host, port, ...given });
  if (given.help) process.stdout.write(usage);
  else if (given.version) process.stdout.write(`${ownVersion()}\n`);
  else if (command === undefined) start(values());
  else if (command === 'export') await exportFiles(values());
  else fail('the command must be export or none');
} catch (error) {
  if (v.isValiError(error)) {
    const [issue] = error.issues;
    const path = v.getDotPath(issue);
    fail(`${path === null ? 'a value' : `--${path}`} is not valid: ${reasonOf(issue)}`);
  }
  fail(error instanceof Error ? error.message : 'failed to start');
}
