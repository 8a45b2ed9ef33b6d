import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { temporary } from './durable-files.js';
import type { FileLayer } from './file-layer.js';
import type { Manifest, WindowEntry } from './manifest.js';
import { type FileStyle, inspectFile } from './window-file.js';

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
export async function verifyFiles(
  files: FileLayer,
  folder: string,
  manifest: Manifest,
  style: FileStyle,
  ownFiles: ReadonlySet<string>,
): Promise<VerifyReport> {
  const problems: VerifyProblem[] = [];
  const listed = new Map(
    manifest.entries().flatMap((entry) => (entry.path === null ? [] : [[entry.path, entry] as const])),
  );
  for (const path of await files.list(folder)) {
    if (listed.has(path) || ownFiles.has(path) || temporary.test(path)) continue;
    problems.push({ code: 'unknown-file', path, message: 'the manifest does not list this file' });
  }
  let rows = 0;
  for (const [path, entry] of listed) {
    const content = await files.read(join(folder, path));
    if (!content) {
      problems.push({
        code: 'missing-file',
        path,
        message: 'the file is missing; the next export fetches its window again',
      });
      continue;
    }
    rows += entry.rows;
    problems.push(...(await problemsOf(content, entry, path, style)));
  }
  problems.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { ok: problems.length === 0, files: listed.size, rows, problems };
}

async function problemsOf(
  content: Uint8Array,
  entry: WindowEntry,
  path: string,
  style: FileStyle,
): Promise<VerifyProblem[]> {
  if (createHash('sha256').update(content).digest('hex') !== entry.sha256) {
    return [
      {
        code: 'wrong-hash',
        path,
        message: 'the content is not the one that was written; delete the file and export again',
      },
    ];
  }
  try {
    const { rows, contract = entry.contract } = await inspectFile(style, content);
    return [
      ...(rows === entry.rows
        ? []
        : [{ code: 'wrong-rows' as const, path, message: `${rows} rows instead of ${entry.rows}` }]),
      ...(contract === entry.contract
        ? []
        : [{ code: 'wrong-contract' as const, path, message: 'written with another contract' }]),
    ];
  } catch {
    return [{ code: 'unreadable', path, message: 'the file cannot be read' }];
  }
}
