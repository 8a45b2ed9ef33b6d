// Everything that knows a vehicle, as processes: the service, two proxies on one Redis, two collectors on one PostgreSQL, and an application
// with a cache and an archive. Several consents can end in one world, one after the other.
import { spawnSync } from 'node:child_process';
import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArchive, openArchive } from '@vehicle-data/archive';
import { createVehicleDataClient } from '@vehicle-data/client';
import { repository } from '../test/apps.ts';
import { Front } from './front.ts';
import { pause } from './kills.ts';
import { Part } from './parts.ts';
import { Relay } from './relay.ts';

const token = 'demo-access-token';
const node = process.execPath;
const app = (name: string, file = 'node') => `${repository}/apps/${name}/dist/${file}.js`;
const url = (port: number) => `http://127.0.0.1:${port}`;
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
/**
 * Of the first two vehicles of a sandbox the owner shares both at the brand, of 36 eleven: some are left when the consents have ended. The page
 * of the owner runs a program for each.
 */
const fleetFor = (consents: number) => (consents === 1 ? 2 : 36);

/** What the worlds of one run of the tests share. */
export interface Servers {
  /** `postgres://…` of a database. */
  readonly postgres: (database: string) => string;
  readonly redisPort: number;
  readonly postgresPrograms: string;
}

/** A proxy, and what stands between it and the service. */
export interface RelayedProxy {
  readonly part: Part;
  readonly relay: Relay;
  readonly client: ReturnType<typeof clientOf>;
}

/** A vehicle, and its names where data are kept. */
export interface Known {
  readonly vin: string;
  /** In the archive of the application, and in the lake. */
  readonly pseudonyms: readonly string[];
}

/** Calls again until it works, for at most two minutes: a process may be away, and starts slowly on a busy machine. */
export async function insist<T>(step: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + 120_000;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (performance.now() > endMs) throw error;
      await pause(200);
    }
  }
}

/** Every file under a folder. */
export const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** No retries: a failure is seen as it is. */
const clientOf = (baseUrl: string) =>
  createVehicleDataClient({ baseUrl, brand: 'brand_a', accessToken: token, maxRetries: 0 });

export class World {
  /** Name of the database, and prefix of the keys in Redis. */
  readonly name = `world_${randomBytes(6).toString('hex')}`;
  readonly parts: Part[] = [];
  readonly collectors: Part[] = [];
  readonly proxies: RelayedProxy[] = [];
  readonly #fronts: Front[] = [];
  /** Vehicles whose consent has not ended. */
  readonly shared: Known[] = [];
  /** With it, the cache of the application names its files, and proxies hash VINs. */
  readonly hashKey = randomBytes(32).toString('hex');
  readonly folder: string;
  ownerPage = '';
  #application: Part | undefined;
  readonly #servers: Servers;

  private constructor(servers: Servers, folder: string) {
    this.#servers = servers;
    this.folder = folder;
  }

  /** Starts everything, and has everybody hold data of each vehicle, of which so many consents are to end. */
  static async open(servers: Servers, consents: number): Promise<World> {
    const world = new World(servers, await mkdtemp(join(tmpdir(), 'vds-consent-')));
    try {
      await world.#open(fleetFor(consents));
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  get application(): Part {
    if (this.#application === undefined) throw new Error('the world is not open');
    return this.#application;
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  psql(text: string, database = this.name): string {
    const { postgres, postgresPrograms } = this.#servers;
    const flags = ['-X', '-A', '-t', '-c', text, postgres(database)];
    const ran = spawnSync(join(postgresPrograms, 'psql'), flags, { encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(ran.stderr);
    return ran.stdout.trim();
  }

  /** All of the database, as text. */
  dump(): string {
    const { postgres, postgresPrograms } = this.#servers;
    const ran = spawnSync(join(postgresPrograms, 'pg_dump'), [postgres(this.name)], {
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
    if (ran.status !== 0) throw new Error(ran.stderr);
    return ran.stdout;
  }

  redis(...command: string[]): string {
    const flags = ['-p', String(this.#servers.redisPort)];
    return spawnSync('redis-cli', [...flags, ...command], { encoding: 'utf8' }).stdout.trim();
  }

  /** Ends every process. The data stay. */
  async stop(): Promise<void> {
    for (const part of this.parts) await part.kill('SIGTERM');
  }

  async close(): Promise<void> {
    for (const part of this.parts) await part.kill().catch(() => {});
    for (const { relay } of this.proxies) relay.close();
    for (const front of this.#fronts) front.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The name of a vehicle's file in the cache of the application. */
  cacheName(vin: string): string {
    return createHmac('sha256', this.hashKey).update(vin).digest('hex');
  }

  async #front(): Promise<Front> {
    const front = await Front.start();
    this.#fronts.push(front);
    return front;
  }

  #add(...of: ConstructorParameters<typeof Part>): Part {
    const part = new Part(...of);
    this.parts.push(part);
    return part;
  }

  async #open(fleetSize: number): Promise<void> {
    this.psql(`create database ${this.name}`, 'postgres');
    for (const each of ['cache', 'receipts', 'audit']) await mkdir(this.at(each));
    const eventSecret = `whsec_${randomBytes(32).toString('base64')}`;
    const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    await writeFile(this.at('receipts.key'), key, { mode: 0o600 });
    await writeFile(this.at('events-secret'), eventSecret, { mode: 0o600 });
    const audit = `VDS_AUDIT_FILE='${this.at('audit/log')}' VDS_VIN_HASH_KEY=${this.hashKey}`;
    const who = `#!/bin/sh\n${audit} exec '${node}' '${app('proxy')}' audit who --vin - --json\n`;
    await writeFile(this.at('who.sh'), who);
    await chmod(this.at('who.sh'), 0o700);

    // Addresses stay the same when a process is started again.
    const toProxies = [await this.#front(), await this.#front()] as const;
    const toCollectors = [await this.#front(), await this.#front()] as const;
    const toApplication = await this.#front();
    const [{ address: baseUrl }, { address: otherBaseUrl }] = toProxies;
    const owner = ['--owner-proxy', baseUrl, '--owner-who', this.at('who.sh')];
    const size = ['--port', '0', '--vehicles', String(fleetSize)];
    const command = [node, app('sandbox'), ...size, ...owner, '--owner-receipts', this.at('receipts')];
    const service = this.#add('service', command, {});
    await service.start();
    this.ownerPage = `${url(service.port)}/owner`;
    const receivers = [`${toCollectors[0].address}/events`, `${toApplication.address}/hook`];
    for (const [index, front] of toProxies.entries()) {
      const relay = await Relay.start(service.port);
      const part = this.#proxy(index === 0 ? 'proxy' : 'other proxy', front, relay, receivers);
      this.proxies.push({ part, relay, client: clientOf(front.address) });
    }
    await Promise.all(this.proxies.map(({ part }) => part.start()));
    for (const [index, front] of toCollectors.entries())
      this.collectors.push(this.#collector(index === 0 ? 'collector' : 'other collector', front, baseUrl));
    this.#application = this.#add(
      'application',
      [node, `${repository}/packages/e2e/consent-ends/application.ts`],
      {
        VDS_BASE_URL: otherBaseUrl,
        VDS_EVENTS_SECRET: eventSecret,
        APP_KEY: this.hashKey,
        APP_CACHE: this.at('cache'),
        APP_ARCHIVE: this.at('archive'),
      },
      toApplication,
    );
    await this.#fill();
    await this.#application.start();
  }

  #proxy(title: string, front: Front, relay: Relay, receivers: readonly string[]): Part {
    const environment = {
      VDS_PORT: '0',
      VDS_UPSTREAM_URL: url(relay.port),
      VDS_AUDIT_FILE: this.at('audit/log'),
      VDS_AUDIT_READS: 'true',
      VDS_VIN_HASH_KEY: this.hashKey,
      VDS_STORE: 'redis',
      VDS_REDIS_URL: `redis://127.0.0.1:${this.#servers.redisPort}`,
      VDS_REDIS_PREFIX: `${this.name}:`,
      VDS_EVENTS_URL: receivers.join(','),
      VDS_EVENTS_SECRET_FILE: this.at('events-secret'),
      VDS_RECEIPTS_DIR: this.at('receipts'),
      VDS_RECEIPTS_KEY_FILE: this.at('receipts.key'),
      VDS_LOG_LEVEL: 'debug',
    };
    return this.#add(title, [node, app('proxy')], environment, front);
  }

  #collector(title: string, front: Front, baseUrl: string): Part {
    const limits = ['--max-rate', '200', '--lease-s', '5', '--every', '60'];
    const environment = {
      VDS_DATABASE_URL: this.#servers.postgres(this.name),
      VDS_BASE_URL: baseUrl,
      VDS_BRAND: 'brand_a',
      VDS_ACCESS_TOKEN: token,
      VDS_PORT: '0',
      VDS_EVENTS_SECRET_FILE: this.at('events-secret'),
    };
    const command = [node, app('collector', 'main'), 'start', '--lake', this.at('lake'), '--since', dayOf(2)];
    return this.#add(title, [...command, ...limits], environment, front);
  }

  /** The collectors collect everything; the application holds each location in its cache and a day of each vehicle in its archive. */
  async #fill(): Promise<void> {
    const client = this.proxies[0]?.client;
    if (client === undefined) throw new Error('the world has no proxy');
    const { vehicles } = await client.listVehicles();
    for (const part of this.collectors) await part.start();
    for (const { vin } of vehicles)
      await writeFile(join(this.at('cache'), this.cacheName(vin)), JSON.stringify(await client.getLocation({ vin })));
    await using archive = await createArchive({ folder: this.at('archive'), source: 'http://127.0.0.1/' });
    await archive.export({
      vehicles: vehicles.map(({ vin }) => ({ brand: 'brand_a', vin })),
      from: dayOf(2),
      to: dayOf(1),
      series: ['driving'],
      readWindow: async ({ vin, startDate, endDate }) =>
        (await client.getDrivingData({ vin, startDate, endDate }).catch(() => null))?.trips ?? [],
    });
    await insist(async () => {
      const held = (await filesIn(this.at('lake'))).filter((file) => file.endsWith('.parquet')).length;
      const due = () => this.psql('select count(*) from vds.windows where due_at <= clock_timestamp()');
      if (held < vehicles.length || due() !== '0') throw new Error('the collectors have not collected everything');
    });
    await using lake = await openArchive({ folder: this.at('lake'), readOnly: true });
    for (const { vin } of vehicles)
      this.shared.push({ vin, pseudonyms: [archive.pseudonymOf(vin), lake.pseudonymOf(vin)] });
  }
}
