// The files of an audit log: the one that is written, and those that were put aside when they were large enough or a day was over, each
// named after the number of its last entry. The chain continues from one to the next. The last line of one that is put aside has a hash of
// all bytes before it and a signature, so that it can be checked with the public key alone. Retention deletes the oldest ones, and an
// entry says up to where.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  append,
  appendToChain,
  assertSize,
  type ChainLink,
  headOf,
  linesAfter,
  type OpenFile,
  withChainLock,
} from './chain.js';
import { type CloseEntry, now, type PruneEntry } from './entries.js';
import { isSignedBy, type Signer } from './signing-key.js';

/** The files of a log, the oldest first. The last one is written, where it exists. */
export async function segmentsOf(path: string): Promise<readonly string[]> {
  const asides = await asidesOf(path);
  const active = await stat(path).catch(() => null);
  if (active === null) return asides;
  const inodes = await Promise.all(asides.map(async (each) => (await stat(each)).ino));
  // A crash while a file is put aside leaves it a second name.
  return [...asides.filter((_, index) => inodes[index] !== active.ino), path];
}

/** The names of all files that were put aside, the oldest first. */
async function asidesOf(path: string): Promise<readonly string[]> {
  const start = `${basename(path)}.`;
  const names = (await readdir(dirname(path))).filter((name) => name.startsWith(start));
  const numbers = names.map((name) => name.slice(start.length)).filter((end) => /^[1-9]\d{0,14}$/.test(end));
  return numbers.sort((one, other) => Number(one) - Number(other)).map((end) => join(dirname(path), start + end));
}

/**
 * Puts the file aside and continues its chain in a new one, which begins with `entry`. Processes that write to it go on with the new one.
 * A disk that is full, or a crash, at any step leaves the file as it is, or with one more line that says nothing wrong.
 *
 * @param signer signs what is put aside; `null` for a hash alone
 * @param mustClose looks at the file while nobody else writes to it; `false` leaves it
 * @returns the path of the file that was put aside, or `null` when it stays
 */
export async function closeSegment(
  path: string,
  key: string,
  entry: object,
  signer: Signer | null = null,
  mustClose: () => Promise<boolean> = async () => true,
  openFile: OpenFile = open,
): Promise<string | null> {
  return withChainLock(path, async () => {
    // Another process may have been faster.
    if (!(await mustClose())) return null;
    for (const each of await asidesOf(path)) if (await isSameFile(each, path)) await unlink(each);
    // It ends with a whole line afterwards: what a crash has left is removed, and a line end that is missing is added.
    await appendToChain(path, key, [], openFile);
    const { size } = await stat(path);
    const head = await headOf(path);
    const last = await closingLine(path, head, key, signer);
    const aside = `${path}.${last.link.number}`;
    // The new file is whole before the old one is closed and has its second name: a crash loses neither.
    const fresh = `${path}.next`;
    try {
      const file = await openFile(fresh, 'w+', 0o600);
      try {
        await append(file, 0, linesAfter(last.link, [entry], key));
      } finally {
        await file.close();
      }
      const old = await openFile(path, 'a+', 0o600);
      try {
        await append(old, size, last.text);
      } finally {
        await old.close();
      }
      assertSize(await stat(path), size + Buffer.byteLength(last.text));
    } catch (error) {
      await unlink(fresh).catch(() => {});
      throw error;
    }
    await link(path, aside);
    await rename(fresh, path);
    return aside;
  });
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  return (await stat(one)).ino === (await stat(other)).ino;
}

async function closingLine(path: string, head: ChainLink, key: string, signer: Signer | null) {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes);
  const fields = { time: now(), kind: 'close', sha256: hash.digest('hex'), signer: signer?.id ?? '' } as const;
  const number = head.number + 1;
  const signed = JSON.stringify({ number, previous: head.hash, ...fields }).slice(0, -1);
  const entry: CloseEntry = { ...fields, signature: signer?.sign(signed) ?? '' };
  const text = linesAfter(head, [entry], key);
  return { text, link: { number, hash: /"hash":"([0-9a-f]{64})"\}\n$/.exec(text)?.[1] ?? '' } };
}

/** What a line of the kind `close` says; `null` for any other line. */
export function closingIn(line: string) {
  const form = /^(\{.*,"kind":"close","sha256":"([0-9a-f]{64})","signer":"([0-9a-f]*)"),"signature":"([0-9a-f]*)"/;
  const [, signed, sha256 = '', signer = '', signature = ''] = form.exec(line) ?? [];
  if (signed === undefined) return null;
  return { sha256, signer, isSignedBy: (key: Parameters<typeof isSignedBy>[0]) => isSignedBy(key, signed, signature) };
}

/** The time that the first line of a file says, or `null` for a file without one. */
export async function beginOf(path: string): Promise<number | null> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    return timeIn(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await file.close();
  }
}

/** The time of the last line of a file, or `null` where it cannot be told. */
async function endTimeOf(path: string): Promise<number | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(32_768), 0, 32_768, Math.max(0, size - 32_768));
    return timeIn(buffer.toString('latin1', 0, bytesRead).trimEnd().split('\n').at(-1) ?? '');
  } finally {
    await file.close();
  }
}

function timeIn(line: string): number | null {
  const time = Date.parse(/"time":"([^"]{20,30})"/.exec(line)?.[1] ?? '');
  return Number.isNaN(time) ? null : time;
}

/**
 * Deletes files that were put aside and whose last entry is older than a time, from the oldest on. An entry says so before the first of
 * them is gone. A file whose age cannot be told stays, and so do all after it.
 *
 * @returns how many files were deleted
 */
export async function pruneSegments(path: string, key: string, beforeMs: number): Promise<number> {
  return withChainLock(path, async () => {
    const files = await segmentsOf(path);
    const closed = files.filter((each) => each !== path);
    const ages = await Promise.all(closed.map((each) => endTimeOf(each).catch(() => null)));
    const kept = ages.findIndex((time) => time === null || time >= beforeMs);
    const old = kept === -1 ? closed : closed.slice(0, kept);
    const last = old.at(-1);
    if (last === undefined) return 0;
    const through = (await headOf(last)).number;
    const entry: PruneEntry = { time: now(), kind: 'prune', through };
    await appendToChain(path, key, [entry]);
    for (const each of old) await unlink(each);
    return old.length;
  });
}
