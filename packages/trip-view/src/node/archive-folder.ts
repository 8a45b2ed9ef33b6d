import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { entriesOf, manifestName, readFirstManifest, readManifest, vehiclePrefix } from '@vehicle-data/archive/format';
import type { ArchiveFiles } from '../page-html.js';

/** A file as it was when it was listed. */
interface FileVersion {
  readonly path: string;
  readonly bytes: number;
  readonly changedMs: number;
}

/** The Parquet files of a folder and of those inside it. Links are not followed. */
export class ArchiveFolder {
  readonly #folder: string;
  readonly #mostFiles: number;
  // Requests name a version by its number, so that none can name another file. A page that was loaded before a file was
  // replaced never reads parts of two versions as one file.
  readonly #versions: FileVersion[] = [];
  readonly #ids = new Map<string, number>();

  /** @param mostFiles Files that a page reads at most; a page of more would be of no use. */
  constructor(folder: string, mostFiles = 20_000) {
    this.#folder = folder;
    this.#mostFiles = mostFiles;
  }

  /** Lists the files as they are now. @throws Error if the folder cannot be read. */
  async list(): Promise<ArchiveFiles> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const nameOf = (path: string) => relative(this.#folder, path).split(sep).join('/');
    const pathsOf = (isWanted: (name: string) => boolean) =>
      entries.flatMap((entry) => (entry.isFile() && isWanted(entry.name) ? join(entry.parentPath, entry.name) : []));
    const paths = pathsOf((name) => name.endsWith('.parquet')).sort();
    const manifests = pathsOf((name) => /^(_manifest|manifest)\.ndjson$/.test(name)).map(nameOf);
    const provisional = await provisionalPaths(this.#folder, manifests);
    const found = await Promise.all(paths.slice(0, this.#mostFiles).map(versionOf));
    const files = found.flatMap((version) => {
      if (version === undefined) return [];
      const name = nameOf(version.path);
      return [{ id: this.#idOf(version), name, bytes: version.bytes, provisional: provisional.has(name) }];
    });
    return { files, leftOut: Math.max(0, paths.length - this.#mostFiles) };
  }

  /** The response to a request for a file; undefined if it is no longer what was listed under that number. */
  async reply(id: number, range: string | undefined): Promise<Reply | undefined> {
    const version = this.#versions[id];
    const current = version && (await versionOf(version.path));
    return current && this.#idOf(current) === id ? fileReply(current, range) : undefined;
  }

  #idOf(version: FileVersion): number {
    const key = JSON.stringify(version);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    this.#ids.set(key, this.#versions.length);
    return this.#versions.push(version) - 1;
  }
}

/** What a file is now; undefined if it is gone. */
async function versionOf(path: string): Promise<FileVersion | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && { path, bytes: found.size, changedMs: found.mtimeMs };
}

/** Files whose window no manifest calls settled. Without a manifest nothing is known to be provisional. */
async function provisionalPaths(folder: string, manifests: readonly string[]): Promise<ReadonlySet<unknown>> {
  const found = new Set<unknown>();
  // Paths in a manifest begin at its folder, which may be opened alone: which vehicle it is of does not matter here.
  const vehicle = { brand: 'any', vehicle: '0' };
  for (const manifest of manifests) {
    const text = await readFile(join(folder, manifest), 'utf8').catch(() => '');
    const prefix = manifest.slice(0, manifest.lastIndexOf('/') + 1);
    const isFirst = !manifest.endsWith(manifestName);
    // Older archives have one manifest for all vehicles at the top.
    const held = isFirst ? [...readFirstManifest(text).values()] : [readManifest(vehicle, text).windows];
    for (const { path, settled } of held.flatMap(entriesOf)) {
      if (path === null || settled) continue;
      found.add(prefix + (isFirst ? path : path.slice(vehiclePrefix(vehicle).length)));
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
function fileReply({ path, bytes }: FileVersion, range: string | undefined): Reply {
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
