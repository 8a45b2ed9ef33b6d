import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { OpenArchive } from './export-windows.js';
import { isTemporary, ownFiles } from './own-files.js';
import { inspectFile } from './window-file.js';

/** What is wrong with a file. */
export interface VerifyProblem {
  /**
   * - `missing-file`: the manifest lists it, the folder does not have it.
   * - `unknown-file`: the folder has it, the manifest does not list it.
   * - `wrong-hash`, `wrong-rows`, `wrong-contract`, `unreadable`: it is not what the manifest says.
   */
  readonly code: 'missing-file' | 'unknown-file' | 'wrong-hash' | 'wrong-rows' | 'wrong-contract' | 'unreadable';
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

/** Compares the manifest with the files, both ways, and reads every file whole. */
export async function verifyFiles({ files, folder, manifest, settings }: OpenArchive): Promise<VerifyReport> {
  const problems: VerifyProblem[] = [];
  const report = (path: string, code: VerifyProblem['code'], message: string) => problems.push({ code, path, message });
  const listed = new Map(
    manifest.entries().flatMap((entry) => (entry.path === null ? [] : [[entry.path, entry] as const])),
  );
  for (const path of await files.list(folder)) {
    if (listed.has(path) || ownFiles.has(path) || isTemporary(path)) continue;
    report(path, 'unknown-file', 'the manifest does not list this file');
  }
  let rows = 0;
  for (const [path, entry] of listed) {
    const content = await files.read(join(folder, path));
    if (!content) {
      report(path, 'missing-file', 'the file is missing; the next export fetches its window again');
      continue;
    }
    rows += entry.rows;
    if (createHash('sha256').update(content).digest('hex') !== entry.sha256) {
      report(path, 'wrong-hash', 'the content is not the one that was written; delete the file and export again');
      continue;
    }
    try {
      const read = await inspectFile(settings, content);
      if (read.rows !== entry.rows) report(path, 'wrong-rows', `${read.rows} rows instead of ${entry.rows}`);
      if ((read.contract ?? entry.contract) !== entry.contract)
        report(path, 'wrong-contract', 'written with another contract');
    } catch {
      report(path, 'unreadable', 'the file cannot be read');
    }
  }
  problems.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { ok: problems.length === 0, files: listed.size, rows, problems };
}
