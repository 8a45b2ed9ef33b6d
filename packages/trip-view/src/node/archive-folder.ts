import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ArchiveFile } from '../page-html.js';
import { memberAt } from '../trip/read.js';

/** A Parquet file of a folder. Requests name it by number, so that none can name another file. */
export interface FolderFile extends ArchiveFile {
  readonly path: string;
}

/** Files that a folder can have at most; a page of more would be of no use. */
const mostFiles = 20_000;

/** Lists the Parquet files of a folder and of those inside it. Links are not followed. */
export async function listFolder(folder: string): Promise<readonly FolderFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.parquet'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .slice(0, mostFiles);
  const provisional = await provisionalPaths(folder);
  return Promise.all(
    paths.map(async (path) => {
      const name = relative(folder, path).split(sep).join('/');
      return { path, name, bytes: (await stat(path)).size, provisional: provisional.has(name) };
    }),
  );
}

/** Files whose window the manifest does not call settled. Without a manifest nothing is known to be provisional. */
async function provisionalPaths(folder: string): Promise<ReadonlySet<unknown>> {
  const found = new Set<unknown>();
  const text = await readFile(join(folder, 'manifest.ndjson'), 'utf8').catch(() => '');
  for (const line of text.split('\n')) {
    try {
      const entry: unknown = JSON.parse(line);
      const settled = memberAt(entry, 'settled');
      // A later line replaces an earlier one.
      if (settled === false) found.add(memberAt(entry, 'path'));
      else if (settled !== undefined) found.delete(memberAt(entry, 'path'));
    } catch {
      // The last line may be cut by a crash.
    }
  }
  return found;
}

/** A response that `servePage` writes. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Iterable<string> | AsyncIterable<Uint8Array>;
}

/** A file or one range of it: https://www.rfc-editor.org/rfc/rfc9110#section-14.2 */
export function fileReply({ path, bytes }: FolderFile, range: string | undefined): Reply {
  const found = /^bytes=([0-9]{1,15})-([0-9]{0,15})$/.exec(range ?? '');
  const start = Number(found?.[1] ?? 0);
  const end = Math.min(bytes - 1, found?.[2] ? Number(found[2]) : bytes - 1);
  if (found !== null && start > end) return { status: 416, headers: { 'content-range': `bytes */${bytes}` }, body: [] };
  const headers = {
    'content-type': 'application/vnd.apache.parquet',
    'accept-ranges': 'bytes',
    'content-length': `${end - start + 1}`,
    ...(found && { 'content-range': `bytes ${start}-${end}/${bytes}` }),
  };
  return {
    status: found === null ? 200 : 206,
    headers,
    body: bytes === 0 ? [] : createReadStream(path, { start, end }),
  };
}
