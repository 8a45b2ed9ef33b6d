// What is to be found of vehicles whose consent has ended, and what proves that nothing is.
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { openArchive } from '@vehicle-data/archive';
import { verifyReceipt } from '@vehicle-data/archive/receipts';
import { filesIn, insist, type Known, type World } from './world.ts';

/** Whoever reads on learns of the end, also where nobody had the success. @returns whether data came */
async function passesData(client: World['proxies'][number]['client'], vin: string): Promise<boolean> {
  return insist(async () => {
    const outcome = await client.getLocation({ vin }).then(
      () => 'data',
      (error: { code?: string }) => error.code ?? 'failed',
    );
    if (!['data', '5006', '4101'].includes(outcome)) throw new Error(outcome);
    return outcome === 'data';
  });
}

/** Where a vehicle is still passed on or, once it is not, held. Empty once everybody has forgotten it. */
export async function whatIsLeft(world: World, vehicle: Known): Promise<readonly string[]> {
  const { vin, pseudonyms } = vehicle;
  const found: string[] = [];
  for (const { part, client } of world.proxies)
    if (await passesData(client, vin)) found.push(`${part.name} passes data`);
  return found.length > 0 ? found : whatIsStored(world, vehicle, pseudonyms);
}

/** Where data of a vehicle are stored: in files or, once there are none, in the ledger, since each look at that starts a program. */
export async function whatIsStored(
  world: World,
  { vin }: Known,
  pseudonyms: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const place of ['lake', 'archive'])
    for (const file of await filesIn(world.at(place)))
      if (pseudonyms.some((pseudonym) => file.includes(`vehicle=${pseudonym}`))) found.push(nameIn(world, file));
  if ((await readdir(world.at('cache'))).includes(world.cacheName(vin))) found.push('the cache of the application');
  if (found.length > 0) return found;
  const rows = world.psql(
    `select (select count(*) from vds.vehicles where vin = '${vin}'), (select count(*) from vds.windows where vehicle = '${pseudonyms[1]}')`,
  );
  return rows === '0|0' ? [] : [`rows and windows in the ledger: ${rows}`];
}

/** Vehicles that share and of which a place has lost something. */
export async function whatIsMissing(world: World): Promise<readonly string[]> {
  const missing: string[] = [];
  const [cache, files] = [await readdir(world.at('cache')), await filesIn(world.folder)];
  for (const { vin, pseudonyms } of world.shared) {
    if (!cache.includes(world.cacheName(vin))) missing.push('the cache of the application');
    for (const pseudonym of pseudonyms)
      if (!files.some((file) => file.includes(`vehicle=${pseudonym}`) && file.endsWith('.parquet')))
        missing.push(`vehicle=${pseudonym}`);
  }
  return missing;
}

/** Places with one of these VINs: files, rows, keys and values of Redis, output of processes. */
export async function placesWith(world: World, vins: readonly string[]): Promise<readonly string[]> {
  const has = (text: string | Buffer) => vins.some((vin) => text.includes(vin));
  const places: string[] = [];
  for (const { name, output } of world.parts) if (has(output)) places.push(`output of ${name}`);
  for (const file of await filesIn(world.folder))
    if (has(await readFile(file).catch(() => ''))) places.push(nameIn(world, file));
  if (has(world.dump())) places.push('the ledger');
  const keys = world.redis('--scan', '--pattern', `${world.name}:*`).split('\n').filter(Boolean);
  for (const key of keys) if (has(key) || has(textOfKey(world, key))) places.push(`Redis ${key}`);
  return places;
}

/** Receipts that verify, by the program that issued them. @throws where one does not */
export async function countReceipts(
  world: World,
): Promise<Readonly<Record<'proxy' | 'collector' | 'archive', number>>> {
  const counted = { proxy: 0, collector: 0, archive: 0 };
  const count = async (kind: keyof typeof counted, texts: readonly string[], keys: readonly string[]) => {
    for (const text of texts) {
      const check = await verifyReceipt(text, keys);
      if (!check.ok) throw new Error(`a receipt of the ${kind} is ${check.reason}`);
      if (check.receipt.issuer.component === kind) counted[kind]++;
    }
  };
  // A file with a dot is the draft of a proxy that was killed: no receipt yet.
  const own = (await filesIn(world.at('receipts'))).filter((file) => !basename(file).startsWith('.'));
  const read = (end: string) =>
    Promise.all(own.filter((file) => file.endsWith(end)).map((file) => readFile(file, 'utf8')));
  await count('proxy', await read('.json'), await read('.pem'));
  const stored = world.psql('select receipt from vds.receipts').split('\n').filter(Boolean);
  const keys = world.psql('select pem from vds.receipt_keys');
  await count(
    'collector',
    stored.map((line) => `${line}\n`),
    [keys],
  );
  await using archive = await insist(() => openArchive({ folder: world.at('archive'), readOnly: true }));
  const receipts = await archive.receipts();
  await count(
    'archive',
    receipts.map(({ text }) => text),
    await archive.receiptKeys(),
  );
  return counted;
}

/** What the pages of the owner say of vehicles, in their order. */
export async function ownerSays(world: World, vehicles: readonly Known[]): Promise<readonly string[]> {
  const cards: string[] = [];
  for (let next: string | undefined = world.ownerPage; next !== undefined; ) {
    const address: string = next;
    const text = await insist(async () => (await fetch(address)).text());
    cards.push(...text.split('<article').slice(1));
    const [, more] = /href="(\/owner\?page=\d+)" rel="next"/.exec(text) ?? [];
    next = more && new URL(more, address).href;
  }
  return vehicles.map(({ vin }) => {
    const card = cards.find((each) => each.includes(`ending in ${vin.slice(-4)}`) && each.includes('brand_a')) ?? '';
    return ['No longer shares', 'No longer passed on'].filter((words) => card.includes(words)).join(', ');
  });
}

const nameIn = ({ folder }: World, file: string) => file.slice(folder.length);

/** The value of a key, read as what it is: a dump may be compressed. */
function textOfKey(world: World, key: string): string {
  const reads: Readonly<Record<string, readonly string[]>> = {
    string: ['get', key],
    hash: ['hgetall', key],
    list: ['lrange', key, '0', '-1'],
    set: ['smembers', key],
    zset: ['zrange', key, '0', '-1'],
    stream: ['xrange', key, '-', '+'],
  };
  const kind = world.redis('type', key);
  const read = reads[kind];
  if (read === undefined && kind !== 'none') throw new Error(`a value of Redis is a ${kind}`);
  return read === undefined ? '' : world.redis(...read);
}
