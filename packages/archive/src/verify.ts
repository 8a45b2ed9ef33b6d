import type { OpenArchive } from './folder/open-archive.js';
import { isOwnFile, vehiclePrefix, windowPath } from './format/layout.js';
import { hasHash } from './has-hash.js';
import { isRecord } from './own-files.js';
import type { VehicleKey, WindowEntry } from './store/state-store.js';
import { inspectFile } from './window-file.js';

/** What is wrong with a file. */
export interface VerifyProblem {
  /**
   * - `missing-file`: the manifest lists it, the archive does not have it.
   * - `unknown-file`: the archive has it, the manifest does not list it.
   * - `damaged-manifest`: some lines of a vehicle's manifest cannot be read.
   * - `wrong-hash`, `wrong-rows`, `wrong-contract`, `unreadable`: it is not what the manifest says.
   */
  readonly code:
    | 'missing-file'
    | 'unknown-file'
    | 'damaged-manifest'
    | 'wrong-hash'
    | 'wrong-rows'
    | 'wrong-contract'
    | 'unreadable';
  /** Path from the folder of the archive. */
  readonly path: string;
  readonly message: string;
}

/** Outcome of a verification. */
export interface VerifyReport {
  readonly ok: boolean;
  readonly files: number;
  readonly rows: number;
  readonly problems: readonly VerifyProblem[];
}

/** Compares manifests and files both ways, and reads every file whole. Holds the paths of one vehicle at a time. */
export async function verifyFiles(archive: OpenArchive): Promise<VerifyReport> {
  const { blobs, state } = archive;
  const problems: VerifyProblem[] = [];
  const report = (path: string, code: VerifyProblem['code'], message: string) => problems.push({ code, path, message });
  let [files, rows] = [0, 0];
  const prefixes = new Set<string>();
  for await (const vehicle of state.vehicles()) {
    const prefix = vehiclePrefix(vehicle);
    prefixes.add(prefix);
    const { entries, damaged } = await state.readable(vehicle);
    if (damaged.length > 0) {
      const lines = `${damaged.length} lines cannot be read, the first is line ${damaged[0]}`;
      report(archive.manifestOf(vehicle), 'damaged-manifest', `${lines}; repair the archive`);
    }
    const listed = new Map(entries.flatMap((entry) => (entry.path === null ? [] : [[entry.path, entry] as const])));
    for (const path of await filesOf(archive, vehicle)) {
      if (listed.has(path) || isRecord(path)) continue;
      if (windowPath.test(path))
        report(path, 'unknown-file', 'the manifest does not list this file; repair the archive');
      else report(path, 'unknown-file', foreign);
    }
    for (const [path, entry] of listed) {
      files += 1;
      const content = await blobs.get(path);
      if (!content) {
        report(path, 'missing-file', 'the file is missing; the next export fetches its window again');
        continue;
      }
      rows += entry.rows;
      await compare(archive, entry, content, (code, message) => report(path, code, message));
    }
  }
  for await (const path of everyFile(archive)) {
    const [prefix = ''] = /^brand=[^/]+\/vehicle=[^/]+\//.exec(path) ?? [];
    if (!prefixes.has(prefix) && !isOwnFile(path)) report(path, 'unknown-file', foreign);
  }
  problems.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { ok: problems.length === 0, files, rows, problems };
}

const foreign = 'this is no file of the archive; whose it is, only you know';

async function compare(
  { settings }: OpenArchive,
  entry: WindowEntry,
  content: Uint8Array,
  report: (code: VerifyProblem['code'], message: string) => void,
): Promise<void> {
  if (!hasHash(content, entry.sha256)) {
    report(
      'wrong-hash',
      'the content is not the one that was written; repair the archive, and the next export fetches it',
    );
    return;
  }
  try {
    const read = await inspectFile(settings, content);
    if (read.rows !== entry.rows) report('wrong-rows', `${read.rows} rows instead of ${entry.rows}`);
    if ((read.contract ?? entry.contract) !== entry.contract) report('wrong-contract', 'written with another contract');
  } catch {
    report('unreadable', 'the file cannot be read');
  }
}

async function* everyFile({ blobs }: OpenArchive, prefix = ''): AsyncGenerator<string, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await blobs.list(prefix, cursor);
    for (const { key } of page.blobs) yield key;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** Paths of everything that stands below a vehicle. */
export async function filesOf(archive: OpenArchive, vehicle: VehicleKey): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const path of everyFile(archive, vehiclePrefix(vehicle))) paths.push(path);
  return paths;
}
