// Backs vehicles up over generations, withdraws some, and tries to recover them from every copy that was ever made, with everything that
// is left: node test/copies/run.ts 1000 20 100
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArchive, type ReadWindow, restoreArchive } from '@vehicle-data/archive';
import { dataFiles } from '../synthetic-source.ts';

const msPerDay = 86_400_000;
const firstDay = Date.parse('2026-03-01T10:00:00.000Z');
const source = 'http://127.0.0.1:8788';

export interface Copies {
  readonly vehicles: number;
  readonly generations: number;
  readonly withdrawn: number;
}

/** A trip a day. */
const readWindow: ReadWindow = async ({ vin, startDate, endDate }) => {
  const trips: unknown[] = [];
  for (let day = Number(startDate); day <= Number(endDate); day += 1) {
    const text = String(day);
    const start = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}T07:00:00.000Z`;
    trips.push({ triggerStartTime: start, tripLength: 60_000, odometer: { value: [day, Number(vin.slice(8))] } });
  }
  return trips;
};

/**
 * Makes the copies and tries to recover what was withdrawn.
 *
 * @returns how many bytes of withdrawn vehicles `age` recovered: before their withdrawal, as a check of the check, and at the end
 * @throws Error where a vehicle that shares data is not restored byte by byte.
 */
export async function runCopies({ vehicles, generations, withdrawn }: Copies) {
  const root = await mkdtemp(join(tmpdir(), 'copies-'));
  try {
    const [folder, to, copies] = [join(root, 'archive'), join(root, 'backup'), join(root, 'copies')];
    await mkdir(copies);
    const operator = await ageKey(root, 'operator');
    const names = Array.from({ length: vehicles }, (_, index) => `COPY0000${String(index).padStart(9, '0')}`);
    let shared = names;
    const foldersOf = new Map<string, string>();
    const total = { sealed: 0, unchanged: 0, recoveredBefore: 0, recovered: 0, triedFiles: 0 };
    // The last of them so early that every generation of keys which has theirs expires.
    const lastWithdrawal = generations - 8;
    for (let day = 0; day < generations; day += 1) {
      const now = firstDay + day * msPerDay;
      const today = new Date(now).toISOString().slice(0, 10);
      const archive = await createArchive({ folder, source, format: 'ndjson', now: () => now });
      const known = shared.map((vin) => ({ brand: 'brand_a', vin }));
      await archive.export({
        vehicles: known,
        series: ['driving'],
        from: today,
        to: today,
        readWindow,
        concurrency: 8,
      });
      const { sealed, unchanged, damaged } = await archive.backup({ to, recipient: operator.recipient });
      if (damaged.length > 0) throw new Error('a file that nobody touched is called damaged');
      total.sealed += sealed;
      total.unchanged += unchanged;
      // A copy of the backup that lives for years, as on a tape. The key store is not in it.
      const copy = join(copies, String(day));
      if ((await run('cp', ['-al', join(to, 'vehicles'), copy])).code !== 0) throw new Error('no copy was made');
      if (day >= 1 && day <= lastWithdrawal) {
        const due = Math.ceil((withdrawn * day) / lastWithdrawal) - (vehicles - shared.length);
        const leaving = shared.slice(0, due);
        for (const vin of leaving) {
          const key = join(folder, `brand=brand_a/vehicle=${archive.pseudonymOf(vin)}/_backup.key`);
          const identity = join(root, `${vin}.key`);
          await cp(key, identity);
          const own = await folderOf(copy, identity);
          foldersOf.set(vin, own);
          if (total.recoveredBefore === 0) total.recoveredBefore = (await recover(join(copy, own), identity)).bytes;
          await rm(identity);
        }
        shared = shared.slice(due);
        await archive.reconcile({ brand: 'brand_a', vins: shared });
      }
      await archive.close();
    }
    const restored = join(root, 'restored');
    const report = await restoreArchive({ from: to, folder: restored, identity: operator.identity });
    if (report.vehicles !== vehicles - withdrawn || report.problems.length > 0)
      throw new Error('not all were restored');
    const [expected, found] = [await dataFiles(folder), await dataFiles(restored)];
    const paths = Object.keys(expected);
    if (paths.length !== Object.keys(found).length || paths.some((path) => expected[path] !== found[path]))
      throw new Error('other files were restored');
    // Everything that is left: keys in the archive, and every key of every generation that did not expire.
    const keys = join(root, 'left.keys');
    await writeFile(keys, await everyKey(folder, join(to, 'keys'), operator.identity));
    // The same file in several copies is one file with several names.
    const tried = new Set<number>();
    for (const own of new Set(foldersOf.values()))
      for (const day of await readdir(copies)) {
        const { bytes, files } = await recover(join(copies, day, own), keys, tried);
        total.recovered += bytes;
        total.triedFiles += files;
      }
    const foldersLeft = (await readdir(join(to, 'vehicles'))).length;
    return { ...total, restoredFiles: paths.length, foldersLeft };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** A key of the operator by Debian's `age-keygen`. */
async function ageKey(root: string, name: string) {
  const { text } = await run('age-keygen', []);
  await writeFile(join(root, name), text);
  const identity = /AGE-SECRET-KEY-\S+/.exec(text)?.[0] ?? '';
  const recipient = /age1\S+/.exec(text)?.[0] ?? '';
  return { identity, recipient };
}

/** The folder in a copy that an identity opens. */
async function folderOf(copy: string, identity: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  const text = (await readFile(identity, 'utf8')).trim();
  const name = createHash('sha256').update(`folder of ${text}`).digest('hex').slice(0, 32);
  if (!(await readdir(copy)).includes(name)) throw new Error('the copy has no folder of this key');
  return name;
}

/** How many bytes `age` recovers from the files of a folder. */
async function recover(folder: string, identities: string, tried = new Set<number>()) {
  let [bytes, files] = [0, 0];
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { ino } = await stat(path);
    if (tried.has(ino)) continue;
    tried.add(ino);
    bytes += (await run('age', ['-d', '-i', identities, path])).text.length;
    files += 1;
  }
  return { bytes, files };
}

/** The identities that are left anywhere. */
async function everyKey(folder: string, keys: string, operator: string): Promise<string> {
  const found = new Set([operator]);
  const operatorFile = join(folder, '..', 'operator');
  for (const name of await readdir(keys)) {
    if (!name.endsWith('.age')) continue;
    const { text } = await run('age', ['-d', '-i', operatorFile, join(keys, name)]);
    for (const [key] of text.matchAll(/AGE-SECRET-KEY-1[0-9A-Z]+/g)) found.add(key);
  }
  for (const path of await readdir(folder, { recursive: true }))
    if (path.endsWith('_backup.key')) found.add((await readFile(join(folder, path), 'utf8')).trim());
  return `${[...found].join('\n')}\n`;
}

async function run(program: string, words: readonly string[]) {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, text };
}

if (import.meta.main) {
  const [vehicles = 1_000, generations = 20, withdrawn = 100] = process.argv.slice(2).map(Number);
  console.log({ vehicles, generations, withdrawn, ...(await runCopies({ vehicles, generations, withdrawn })) });
}
