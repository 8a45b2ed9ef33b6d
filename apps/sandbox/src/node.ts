#!/usr/bin/env node
// The sandbox as a command, and the files that it reads and writes. The only place that knows Node.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { serve } from '@hono/node-server';
import * as v from 'valibot';
import { replaceFileSync } from '#kit/replace-file.js';
import { type Command, readCommand } from './config/command.js';
import { createSandbox, exportFixtures, type OwnerSources, type StateStore } from './index.js';

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
  --access-token-lifetime-s N   lifetime of access tokens (3600 by default)
  --refresh-token-lifetime-s N  lifetime of refresh tokens (7776000 by default)
  --owner-proxy URL             /owner: withdraw through this proxy
  --owner-who PROGRAM           /owner: prints who has read a vehicle (vds-proxy audit who --json) whose VIN it reads from its input
  --owner-receipts FOLDER       /owner: receipts of the proxy
  --vin VIN                     export: the vehicle
  --month MONTH                 export: the month, as yyyy-MM
  --out FOLDER                  export: where the files go (the current folder by default)
  --help                        show this
  --version                     show the version of this package

Each option but those of export, --help and --version can be set in the environment: --seed as VDS_SANDBOX_SEED. The command line wins.
`;

/** Keeps a text in a file, which is whole at any moment. */
function stateFile(path: string): StateStore {
  return {
    load() {
      fs.accessSync(dirname(path), fs.constants.W_OK);
      return fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : null;
    },
    save(text) {
      replaceFileSync(path, text);
    },
  };
}

/** Where the page of an owner has from what it shows. */
function ownerSources({ proxyUrl, who, receipts: folder }: Command['owner']): OwnerSources {
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

function start({ host, port, stateFile: path, fleet, owner, tokenLifetimes }: Command): void {
  const sandbox = createSandbox({
    ...fleet,
    tokenLifetimes,
    state: path === undefined ? undefined : stateFile(path),
    owner: ownerSources(owner),
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

async function exportFiles({ fleet, given: { vin = '', month = '', out = '.' } }: Command): Promise<void> {
  fs.mkdirSync(out, { recursive: true });
  for await (const { name, text } of exportFixtures({ vin, month, ...fleet })) {
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

function fail(...messages: readonly string[]): never {
  for (const message of messages) process.stderr.write(`vds-sandbox: ${message.split('\n')[0]}\n`);
  process.exit(1);
}

const command = readCommand(process.argv.slice(2), process.env);
try {
  const { words, given, mistakes } = command;
  if ('help' in given) process.stdout.write(usage);
  else if ('version' in given) process.stdout.write(`${ownVersion()}\n`);
  else if (mistakes.length > 0) fail(...mistakes);
  else if (words.length === 0) start(command);
  else if (words.length === 1 && words[0] === 'export') await exportFiles(command);
  else fail('the command must be export or none');
} catch (error) {
  fail(error instanceof Error ? error.message : 'failed to start');
}
