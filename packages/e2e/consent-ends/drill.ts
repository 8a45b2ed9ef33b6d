// The end of one consent, through every program, while each process is killed once at a random moment.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArchive, openArchive } from '@vehicle-data/archive';
import { verifyReceipt } from '@vehicle-data/archive/receipts';
import { createVehicleDataClient } from '@vehicle-data/client';
import { randomFrom } from '../../../scripts/seeded-random.ts';
import { freePort, repository } from '../test/apps.ts';
import { Part } from './parts.ts';

const token = 'demo-access-token';
const node = process.execPath;
const app = (name: string, file = 'node') => `${repository}/apps/${name}/dist/${file}.js`;
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What the drills of one run of the tests share. */
export interface Servers {
  /** `postgres://…` of a server, without a database. */
  readonly postgres: (database: string) => string;
  readonly redisPort: number;
  readonly postgresPrograms: string;
}

/** What one drill found. */
export interface DrillReport {
  /** From the moment at which the withdrawal was known to hold until nothing was left, in milliseconds. */
  readonly ms: number;
  /** What was left after a minute; empty for a good one. */
  readonly left: readonly string[];
  readonly kills: number;
  /** Whether the owner's application had the success of the withdrawal; else the list alone said so. */
  readonly isConfirmed: boolean;
  /** Receipts that verify, by the program that issued them. */
  readonly receipts: Readonly<Record<'proxy' | 'collector' | 'archive', number>>;
  /** What the page of the owner says of the vehicle. */
  readonly page: string;
  /** Places with the VIN: files, rows, keys of Redis, output of processes. */
  readonly vinIn: readonly string[];
}

/** Calls again until it works, for at most 30 seconds: a process may be away. */
async function insist<T>(step: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + 30_000;
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
const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

export async function drill(servers: Servers, seed: number): Promise<DrillReport> {
  const folder = await mkdtemp(join(tmpdir(), 'vds-consent-'));
  const at = (name: string) => join(folder, name);
  const parts: Part[] = [];
  try {
    return await runDrill(servers, seed, folder, at, parts);
  } finally {
    for (const part of parts) await part.kill().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

async function runDrill(
  { postgres, redisPort, postgresPrograms }: Servers,
  seed: number,
  folder: string,
  at: (name: string) => string,
  parts: Part[],
): Promise<DrillReport> {
  const name = `run_${seed}_${randomBytes(4).toString('hex')}`;
  const psql = (database: string, text: string) => {
    const ran = spawnSync(join(postgresPrograms, 'psql'), ['-X', '-A', '-t', '-c', text, postgres(database)], {
      encoding: 'utf8',
    });
    if (ran.status !== 0) throw new Error(ran.stderr);
    return ran.stdout.trim();
  };
  psql('postgres', `create database ${name}`);
  const redis = (...command: string[]) =>
    spawnSync('redis-cli', ['-p', String(redisPort), ...command], { encoding: 'utf8' }).stdout.trim();
  for (const each of ['cache', 'receipts', 'store', 'audit']) await mkdir(at(each));

  // Keys and secrets.
  const eventSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const hashKey = randomBytes(32).toString('hex');
  await writeFile(
    at('receipts.key'),
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
    { mode: 0o600 },
  );
  await writeFile(at('events-secret'), eventSecret, { mode: 0o600 });
  const audit = { VDS_AUDIT_FILE: at('audit/log'), VDS_VIN_HASH_KEY: hashKey };
  await writeFile(
    at('who.sh'),
    `#!/bin/sh\nVDS_AUDIT_FILE='${audit.VDS_AUDIT_FILE}' VDS_VIN_HASH_KEY=${hashKey} exec '${node}' '${app('proxy')}' audit who --vin - --json\n`,
  );
  await chmod(at('who.sh'), 0o700);

  // Processes. Their ports stay the same when they are started again.
  const ports = await Promise.all(Array.from({ length: 6 }, freePort));
  const [sandboxPort = 0, proxyPort = 0, otherProxyPort = 0, collectorPort = 0, otherCollectorPort = 0, appPort = 0] =
    ports;
  const url = (port: number) => `http://127.0.0.1:${port}`;
  const add = (...of: ConstructorParameters<typeof Part>) => {
    const part = new Part(...of);
    parts.push(part);
    return part;
  };
  const sandbox = add(
    'sandbox',
    [
      node,
      app('sandbox'),
      '--port',
      String(sandboxPort),
      '--owner-proxy',
      url(proxyPort),
      '--owner-who',
      at('who.sh'),
      '--owner-receipts',
      at('receipts'),
    ],
    {},
    /listening on/,
  );
  const proxyOf = (port: number, title: string) =>
    add(
      title,
      [node, app('proxy')],
      {
        ...audit,
        VDS_PORT: String(port),
        VDS_UPSTREAM_URL: url(sandboxPort),
        VDS_AUDIT_READS: 'true',
        VDS_STORE: 'redis',
        VDS_REDIS_URL: `redis://127.0.0.1:${redisPort}`,
        VDS_REDIS_PREFIX: `${name}:`,
        VDS_EVENTS_URL: [`${url(collectorPort)}/events`, `${url(appPort)}/hook`].join(','),
        VDS_EVENTS_SECRET_FILE: at('events-secret'),
        VDS_RECEIPTS_DIR: at('receipts'),
        VDS_RECEIPTS_KEY_FILE: at('receipts.key'),
        VDS_LOG_LEVEL: 'debug',
      },
      /listening on/,
    );
  const proxies = [proxyOf(proxyPort, 'proxy'), proxyOf(otherProxyPort, 'other proxy')];
  const collectorOf = (port: number, title: string) =>
    add(
      title,
      [
        node,
        app('collector', 'main'),
        'start',
        '--lake',
        at('lake'),
        '--since',
        dayOf(2),
        '--max-rate',
        '200',
        '--lease-seconds',
        '5',
        '--every',
        '60',
      ],
      {
        VDS_DATABASE_URL: postgres(name),
        VDS_BASE_URL: url(proxyPort),
        VDS_BRAND: 'brand_a',
        VDS_ACCESS_TOKEN: token,
        VDS_PORT: String(port),
        VDS_EVENTS_SECRET_FILE: at('events-secret'),
      },
      /Health and metrics are at/,
    );
  const collectors = [collectorOf(collectorPort, 'collector'), collectorOf(otherCollectorPort, 'other collector')];
  const application = add(
    'application',
    [node, `${repository}/packages/e2e/consent-ends/application.ts`],
    {
      PORT: String(appPort),
      VDS_BASE_URL: url(otherProxyPort),
      VDS_EVENTS_SECRET: eventSecret,
      APP_KEY: hashKey,
      APP_CACHE: at('cache'),
      APP_ARCHIVE: at('archive'),
    },
    /listening on/,
  );
  await sandbox.start();
  await Promise.all(proxies.map((part) => part.start()));

  // What everybody holds before.
  const [client, otherClient] = [clientOf(url(proxyPort)), clientOf(url(otherProxyPort))];
  const { vehicles } = await client.listVehicles();
  const vin = vehicles[seed % vehicles.length]?.vin ?? '';
  await fillApplication(at, url(otherProxyPort), hashKey);
  const pseudonyms = [await fillArchive(at('archive'), client, vehicles, vin)];
  for (const part of collectors) await part.start();
  await insist(async () => {
    const [due] = psql(name, 'select count(*) from vds.windows where due_at <= clock_timestamp()').split('\n');
    const held = (await filesIn(at('lake'))).filter((file) => file.endsWith('.parquet')).length;
    if (due !== '0' || held < vehicles.length) throw new Error('the collectors have not collected everything');
  });
  {
    await using lake = await openArchive({ folder: at('lake'), readOnly: true });
    pseudonyms.push(lake.pseudonymOf(vin));
  }
  await application.start();

  // Each process is killed once, somewhere around the withdrawal.
  const victims = [...proxies, ...collectors, application];
  const random = randomFrom(seed);
  // Drawn here, in one order: the processes are killed at the same time.
  const killing = victims
    .map((part) => ({ part, pauseMs: random() * (seed % 2 === 0 ? 4000 : 1000), deadMs: random() * 1000 }))
    .map(async ({ part, pauseMs, deadMs }) => {
      // In every other run all at once, so that a proxy is hit while it withdraws.
      await pause(pauseMs);
      await part.killAndStart(deadMs);
    });
  await pause(random() * 1000);
  const isShared = () =>
    insist(async () => (await otherClient.listVehicles()).vehicles.some((each) => each.vin === vin));
  let isConfirmed = false;
  for (let attempt = 0; !isConfirmed && (attempt === 0 || (await isShared())); attempt++)
    isConfirmed = await (attempt % 2 === 0 ? client : otherClient).stopSharing({ vin }).then(
      () => true,
      () => false,
    );
  const startedMs = performance.now();
  // Whoever reads on learns of the end even where nobody had the success.
  const read = async (of: typeof client) =>
    insist(async () => {
      const outcome = await of.getLocation({ vin }).then(
        () => 'data',
        (error: { code?: string }) => error.code ?? 'failed',
      );
      if (!['data', '5006', '4101'].includes(outcome)) throw new Error(outcome);
      return outcome;
    });
  const settled = Promise.all(killing);
  let left: readonly string[] = ['not looked at'];
  for (;;) {
    left = await whatIsLeft();
    if (left.length === 0 || performance.now() - startedMs > 60_000) break;
    await pause(200);
  }
  const ms = performance.now() - startedMs;
  await settled;

  async function whatIsLeft(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const [title, of] of [
      ['proxy', client],
      ['other proxy', otherClient],
    ] as const)
      if ((await read(of)) === 'data') found.push(`${title} passes data`);
    for (const place of ['lake', 'archive'])
      for (const file of await filesIn(at(place)))
        if (pseudonyms.some((pseudonym) => file.includes(`vehicle=${pseudonym}`)))
          found.push(file.slice(folder.length));
    const rows = psql(name, `select count(*) from vds.vehicles where vin = '${vin}'`);
    const windows = psql(name, `select count(*) from vds.windows where vehicle = '${pseudonyms[1]}'`);
    if (rows !== '0' || windows !== '0') found.push(`${rows} rows and ${windows} windows in the ledger`);
    if ((await readdir(at('cache'))).length !== vehicles.length - 1) found.push('the cache of the application');
    return found;
  }

  const receipts = await receiptsOf();
  const page = await pageOf();
  for (const part of parts) await part.kill('SIGTERM');

  async function receiptsOf(): Promise<DrillReport['receipts']> {
    const counted = { proxy: 0, collector: 0, archive: 0 };
    const count = async (kind: keyof typeof counted, texts: readonly string[], keys: readonly string[]) => {
      for (const text of texts) {
        const check = await verifyReceipt(text, keys);
        if (!check.ok) throw new Error(`a receipt of the ${kind} is ${check.reason}`);
        if (check.receipt.issuer.component === kind) counted[kind]++;
      }
    };
    const read = async (end: string) =>
      Promise.all(
        (await filesIn(at('receipts'))).filter((file) => file.endsWith(end)).map((file) => readFile(file, 'utf8')),
      );
    await count('proxy', await read('.json'), await read('.pem'));
    const keys = psql(name, 'select pem from vds.receipt_keys');
    const stored = psql(name, 'select receipt from vds.receipts')
      .split('\n')
      .filter(Boolean)
      .map((line) => `${line}\n`);
    await count('collector', stored, [keys]);
    await using archive = await openArchive({ folder: at('archive'), readOnly: true });
    await count(
      'archive',
      (await archive.receipts()).map(({ text }) => text),
      await archive.receiptKeys(),
    );
    return counted;
  }

  async function pageOf(): Promise<string> {
    const text = await insist(async () => (await fetch(`${url(sandboxPort)}/owner`)).text());
    const card =
      text.split('<article').find((each) => each.includes(`ending in ${vin.slice(-4)}`) && each.includes('brand_a')) ??
      '';
    return ['No longer shares', 'No longer passed on'].filter((words) => card.includes(words)).join(', ');
  }

  const vinIn: string[] = [];
  for (const part of parts) if (part.output.includes(vin)) vinIn.push(`output of ${part.name}`);
  for (const file of await filesIn(folder))
    if ((await readFile(file)).includes(vin)) vinIn.push(file.slice(folder.length));
  const dumped = spawnSync(join(postgresPrograms, 'pg_dump'), [postgres(name)], { encoding: 'utf8', maxBuffer: 1e9 });
  if (dumped.status !== 0) throw new Error(dumped.stderr);
  if (dumped.stdout.includes(vin)) vinIn.push('the ledger');
  const keys = redis('--scan', '--pattern', `${name}:*`).split('\n').filter(Boolean);
  for (const key of keys) if (redis('dump', key).includes(vin) || key.includes(vin)) vinIn.push(`Redis ${key}`);
  return {
    ms,
    left,
    kills: victims.reduce((sum, { kills }) => sum + Math.min(kills, 1), 0),
    isConfirmed,
    receipts,
    page,
    vinIn,
  };
}

/** The application reads the location of each vehicle. */
async function fillApplication(at: (name: string) => string, baseUrl: string, key: string): Promise<void> {
  const filling = new Part(
    'filling',
    [node, `${repository}/packages/e2e/consent-ends/application.ts`],
    {
      APP_FILL: 'yes',
      PORT: '0',
      VDS_BASE_URL: baseUrl,
      APP_KEY: key,
      APP_CACHE: at('cache'),
    },
    /listening on/,
  );
  await filling.start();
  await filling.kill();
}

const clientOf = (baseUrl: string) =>
  createVehicleDataClient({ baseUrl, brand: 'brand_a', accessToken: token, maxRetries: 0 });

/** The archive of the application, with a day of each vehicle. Returns the pseudonym of one there. */
async function fillArchive(
  folder: string,
  client: ReturnType<typeof clientOf>,
  vehicles: readonly { readonly vin: string }[],
  vin: string,
): Promise<string> {
  await using archive = await createArchive({ folder, source: 'http://127.0.0.1/' });
  await archive.export({
    vehicles: vehicles.map((each) => ({ brand: 'brand_a', vin: each.vin })),
    from: dayOf(2),
    to: dayOf(1),
    readWindow: async ({ series, vin: of, startDate, endDate }) => {
      const call = series === 'driving' ? client.getDrivingData : client.getPowertrainData;
      return (await call({ vin: of, startDate, endDate }).catch(() => ({ trips: [] }))).trips;
    },
  });
  return archive.pseudonymOf(vin);
}
