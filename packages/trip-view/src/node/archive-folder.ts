import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ArchiveFile } from '../page-html.js';
import { memberAt } from '../trip/read.js';

/** A Parquet file of a folder. Requests name it by number, so that none can name another file. */
interface FolderFile extends ArchiveFile {
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

/** Sends a file or one range of it: https://www.rfc-editor.org/rfc/rfc9110#section-14.2 */
export async function sendFile(
  { path, bytes }: FolderFile,
  range: string | undefined,
  response: ServerResponse,
): Promise<void> {
  const found = /^bytes=([0-9]{1,15})-([0-9]{0,15})$/.exec(range ?? '');
  const start = Number(found?.[1] ?? 0);
  const end = Math.min(bytes - 1, found?.[2] ? Number(found[2]) : bytes - 1);
  response.setHeaders(
    new Map([
      ['content-type', 'application/vnd.apache.parquet'],
      ['cache-control', 'no-store'],
      ['accept-ranges', 'bytes'],
      ['cross-origin-resource-policy', 'same-origin'],
    ]),
  );
  if (found !== null && start > end) {
    response.writeHead(416, { 'content-range': `bytes */${bytes}` }).end();
    return;
  }
  response.setHeader('content-length', Math.max(0, end - start + 1));
  if (found !== null) response.setHeader('content-range', `bytes ${start}-${end}/${bytes}`);
  response.statusCode = found === null ? 200 : 206;
  if (bytes === 0) response.end();
  else await pipeline(createReadStream(path, { start, end }), response);
}
