// Compares ledger and lake, both ways: every file that the ledger has, and every file that the lake has.
import { createHash } from 'node:crypto';
import { manifestName, vehiclePrefix, windowPath } from '@vehicle-data/archive/format';
import { type BlobStore, windowsOf } from '@vehicle-data/archive/store';
import { seriesTable } from '@vehicle-data/client/series';
import type { Database, Queries } from '../ledger/database.js';
import { manifestText, noteManifest } from '../ledger/entries.js';
import { splitMonth } from '../ledger/merges.js';
import type { VehicleName } from '../ledger/windows.js';

/** What is wrong. Paths have pseudonyms, which are personal data: they are for the operator alone. */
export interface LakeProblem {
  /**
   * - `missing-file`: the ledger has it, the lake does not.
   * - `wrong-file`: the lake has other bytes under its name.
   * - `unknown-file`: the lake has it, the ledger does not.
   * - `old-manifest`: the manifest of a vehicle in a bucket is not what the ledger says.
   */
  readonly code: 'missing-file' | 'wrong-file' | 'unknown-file' | 'old-manifest';
  readonly path: string;
}

/** Outcome of a verification. */
export interface LakeReport {
  readonly vehicles: number;
  readonly files: number;
  readonly problems: readonly LakeProblem[];
  /** Problems whose windows are fetched again, or whose manifests are written again. */
  readonly repaired: number;
}

/** What is verified. */
export interface VerifyOptions {
  /** So many vehicles by chance; `undefined` for all, and for what the lake has of others. */
  readonly sample: number | undefined;
  readonly isBucket: boolean;
  /** Has windows fetched again whose files are missing or wrong. Nothing is removed. */
  readonly repair: boolean;
}

/** Problems that are kept; more are counted. */
const mostKept = 1_000;

interface Row {
  readonly path: string;
  readonly sha256: string;
}

/** Reads every file of the chosen vehicles. May run beside collectors: what changed meanwhile is looked at again. */
export async function verifyLake(database: Database, blobs: BlobStore, options: VerifyOptions): Promise<LakeReport> {
  const { sample, isBucket, repair } = options;
  const problems: LakeProblem[] = [];
  let [vehicles, files, repaired] = [0, 0, 0];
  for await (const vehicle of chosen(database, sample)) {
    vehicles += 1;
    let found = await compare(database, blobs, vehicle, isBucket);
    // A window that was stored between two reads is no problem.
    if (found.problems.length > 0) found = await compare(database, blobs, vehicle, isBucket);
    files += found.files;
    problems.push(...found.problems.slice(0, mostKept - problems.length));
    if (repair) repaired += await repairVehicle(database, vehicle, found.problems);
  }
  if (sample === undefined) {
    const foreign = await unknownVehicles(database, blobs);
    problems.push(...foreign.slice(0, mostKept - problems.length));
  }
  return { vehicles, files, problems, repaired };
}

async function* chosen(database: Database, sample: number | undefined): AsyncGenerator<VehicleName, void, undefined> {
  if (sample !== undefined) {
    yield* await database.query<VehicleName>(
      `select brand, vehicle from vds.vehicles where state = 'active' order by random() limit $1`,
      [sample],
    );
    return;
  }
  let last: VehicleName = { brand: '', vehicle: '' };
  for (;;) {
    const page = await database.query<VehicleName>(
      `select brand, vehicle from vds.vehicles where state = 'active' and (brand, vehicle) > ($1, $2)
       order by brand, vehicle limit 1000`,
      [last.brand, last.vehicle],
    );
    yield* page;
    const end = page.at(-1);
    if (!end) return;
    last = end;
  }
}

async function* keysOf(blobs: BlobStore, prefix: string): AsyncGenerator<string, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await blobs.list(prefix, cursor);
    for (const { key } of page.blobs) yield key;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

async function compare(database: Database, blobs: BlobStore, vehicle: VehicleName, isBucket: boolean) {
  const problems: LakeProblem[] = [];
  const there = new Set<string>();
  for await (const key of keysOf(blobs, vehiclePrefix(vehicle))) there.add(key);
  const rows = await database.query<Row>(
    `select path, encode(sha256, 'hex') as sha256 from vds.windows where brand = $1 and vehicle = $2 and path is not null`,
    [vehicle.brand, vehicle.vehicle],
  );
  for (const { path, sha256 } of rows) {
    const content = await blobs.get(path);
    if (!content) problems.push({ code: 'missing-file', path });
    else if (createHash('sha256').update(content).digest('hex') !== sha256) problems.push({ code: 'wrong-file', path });
    there.delete(path);
  }
  const manifest = vehiclePrefix(vehicle) + manifestName;
  if (isBucket) {
    const text = Buffer.from((await blobs.get(manifest)) ?? []).toString('utf8');
    if (withoutTimes(text) !== withoutTimes(await manifestText(database, vehicle)))
      problems.push({ code: 'old-manifest', path: manifest });
    // In a folder, the manifests have files of earlier times that the ledger does not; `vds verify` compares those.
    for (const path of there) if (windowPath.test(path)) problems.push({ code: 'unknown-file', path });
  }
  return { problems, files: rows.length };
}

/** A manifest is not written again because a window was fetched again and is the same. */
const withoutTimes = (text: string) => text.replace(/"fetchedAt":"[^"]*"/g, '');

/** Vehicles that the lake has and the ledger does not, or not any more. */
async function unknownVehicles(database: Database, blobs: BlobStore): Promise<readonly LakeProblem[]> {
  const problems: LakeProblem[] = [];
  let last = '';
  let isKnown = false;
  for await (const key of keysOf(blobs, 'brand=')) {
    const { brand = '', vehicle = '' } = /^brand=(?<brand>[^/]+)\/vehicle=(?<vehicle>[^/]+)\//.exec(key)?.groups ?? {};
    if (`${brand}/${vehicle}` !== last) {
      last = `${brand}/${vehicle}`;
      const rows = await database.query(
        `select from vds.vehicles where brand = $1 and vehicle = $2 and state <> 'gone'`,
        [brand, vehicle],
      );
      isKnown = rows.length > 0;
    }
    if (!isKnown && problems.length < mostKept) problems.push({ code: 'unknown-file', path: key });
  }
  return problems;
}

/** Those of the files that are of more days than a window has, with the windows that are fetched again in their place. */
async function monthsOf(database: Queries, { brand, vehicle }: VehicleName, paths: readonly string[]) {
  const rows = await database.query<{ series: string; from: string; to: string }>(
    `select series, to_char(from_day, 'YYYY-MM-DD') as from, to_char(to_day, 'YYYY-MM-DD') as to from vds.windows
     where brand = $1 and vehicle = $2 and path = any($3)`,
    [brand, vehicle, paths],
  );
  return rows.flatMap(({ series, from, to }) => {
    if (!isSeries(series)) return [];
    const windows = windowsOf(from, to, Date.parse(to), seriesTable[series].maxDays);
    return windows.length > 1 ? [{ series, from, windows }] : [];
  });
}

const isSeries = (name: string): name is keyof typeof seriesTable => name in seriesTable;

/** Has what is missing or wrong fetched again, and the manifest written again. Returns how many problems that concerns. */
async function repairVehicle(database: Database, vehicle: VehicleName, problems: readonly LakeProblem[]) {
  const key = [vehicle.brand, vehicle.vehicle];
  const paths = problems.filter(({ code }) => code === 'missing-file' || code === 'wrong-file').map(({ path }) => path);
  const manifests = problems.filter(({ code }) => code === 'old-manifest').length;
  if (paths.length > 0)
    await database.transaction(async (open) => {
      for (const month of await monthsOf(open, vehicle, paths)) await splitMonth(open, vehicle, month);
      await open.query(
        `update vds.windows set due_at = clock_timestamp(), sha256 = null, settled = false
         where brand = $1 and vehicle = $2 and path = any($3)`,
        [...key, paths],
      );
      await open.query(
        `update vds.vehicles v set
           fresh_at = least(fresh_at, (select min(due_at) from vds.windows w where w.brand = v.brand and w.vehicle = v.vehicle and w.fresh)),
           backfill_at = least(backfill_at, (select min(due_at) from vds.windows w where w.brand = v.brand and w.vehicle = v.vehicle and not w.fresh))
         where brand = $1 and vehicle = $2`,
        key,
      );
    });
  if (manifests > 0) await noteManifest(database, vehicle);
  return paths.length + manifests;
}
