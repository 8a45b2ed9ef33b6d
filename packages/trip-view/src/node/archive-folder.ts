import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ArchiveFile } from '../page-config.js';

/** The Parquet files of a folder. They are named by number, so that no request can name another file. */
export interface Folder {
  readonly list: readonly ArchiveFile[];
  readonly paths: readonly string[];
}

/** Files that a folder can have at most; a page of more would be of no use. */
const mostFiles = 20_000;

/** Lists the Parquet files of a folder and of those inside it. Links are not followed. */
export async function openFolder(folder: string): Promise<Folder> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.parquet'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .slice(0, mostFiles);
  const provisional = await provisionalPaths(folder);
  const list = await Promise.all(
    paths.map(async (path): Promise<ArchiveFile> => {
      const name = relative(folder, path).split(sep).join('/');
      return { name, bytes: (await stat(path)).size, provisional: provisional.has(name) };
    }),
  );
  return { list, paths };
}

/** Files whose window the manifest does not call settled. Without a manifest nothing is known to be provisional. */
async function provisionalPaths(folder: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const text = await readFile(join(folder, 'manifest.ndjson'), 'utf8').catch(() => '');
  for (const line of text.split('\n')) {
    try {
      const entry: unknown = JSON.parse(line);
      if (typeof entry !== 'object' || entry === null || !('path' in entry) || !('settled' in entry)) continue;
      if (typeof entry.path !== 'string') continue;
      // A later line replaces an earlier one.
      if (entry.settled === false) found.add(entry.path);
      else found.delete(entry.path);
    } catch {
      // The last line may be cut by a crash.
    }
  }
  return found;
}

/** Sends a file or one range of it: https://www.rfc-editor.org/rfc/rfc9110#section-14.2 */
export async function sendFile(
  { list, paths }: Folder,
  number: number,
  range: string | undefined,
  response: ServerResponse,
): Promise<void> {
  const [file, path] = [list[number], paths[number]];
  if (file === undefined || path === undefined) {
    response.writeHead(404).end();
    return;
  }
  const headers = {
    'content-type': 'application/vnd.apache.parquet',
    'cache-control': 'no-store',
    'accept-ranges': 'bytes',
    'cross-origin-resource-policy': 'same-origin',
  };
  const found = /^bytes=([0-9]{1,15})-([0-9]{0,15})$/.exec(range ?? '');
  const start = Number(found?.[1] ?? 0);
  const end = Math.min(file.bytes - 1, found?.[2] ? Number(found[2]) : file.bytes - 1);
  if (found !== null && start > end) {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${file.bytes}` }).end();
    return;
  }
  const length = { 'content-length': Math.max(0, end - start + 1) };
  if (found === null) response.writeHead(200, { ...headers, ...length });
  else response.writeHead(206, { ...headers, ...length, 'content-range': `bytes ${start}-${end}/${file.bytes}` });
  if (file.bytes === 0) response.end();
  else await pipeline(createReadStream(path, { start, end }), response);
}
