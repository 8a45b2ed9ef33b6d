// The lease of a folder: a file that names its holder, and whose time of change is the heartbeat.
import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isGone, processNamespace } from '#kit/process-space.js';
import { ArchiveError } from '../archive-error.js';
import { type FileLayer, temporaryOf, textOf } from '../file-layer.js';
import type { Lease, LeaseHolder } from '../store/state-store.js';

const heartbeatMs = 15_000;
/** A holder that gave no sign of life for so long has ended, wherever it ran. Clocks of machines that share a folder agree better. */
const expiresAfterMs = 120_000;
/** The same for a lock without a name: it is being written, or its holder found the disk full and renews it more often. */
const unnamedExpiresAfterMs = 2_000;

/** Leases that this process holds. A lock with its pid that is not among them is of an earlier process with that pid. */
const held = new Set<string>();

/**
 * Makes this process the only one that works on an archive. The lock of a holder is taken over that ended on this machine, or that
 * gave no sign of life for two minutes.
 *
 * @throws ArchiveError `archive-locked`.
 */
export async function takeFolderLease(files: FileLayer, folder: string, scope: string): Promise<Lease> {
  const path = join(folder, 'archive.lock');
  const own = `${processSpace()}\n${process.pid}\n${randomUUID()}\n${new Date().toISOString()}\n`;
  held.add(own);
  let mark: string | undefined;
  try {
    mark = await acquire(files, path, own);
    if (mark === undefined) {
      const holder = await readHolder(files, folder);
      const who = holder ? ` (${holder.name}, since ${holder.since}, last sign of life ${holder.renewedAt})` : '';
      throw new ArchiveError(
        'archive-locked',
        `another process works on this archive${who}; wait for it, or unlock the archive if you know that it ended`,
        { ...(holder && { holder }) },
      );
    }
  } finally {
    if (mark === undefined) held.delete(own);
  }
  const everyMs = mark === own ? heartbeatMs : unnamedExpiresAfterMs / 4;
  // A heartbeat that fails is missed; the next one may work.
  const heartbeat = setInterval(() => void files.touch(path).catch(() => undefined), everyMs).unref();
  const isOurs = async () => (await textOf(files, path)) === mark;
  return {
    scope,
    async check() {
      if (!(await isOurs()))
        throw new ArchiveError('archive-locked', 'another process took this archive over; run the same call again');
    },
    async release() {
      clearInterval(heartbeat);
      held.delete(own);
      if (await isOurs()) await files.remove(path);
    },
  };
}

/** Who holds the lock of a folder; `undefined` where nobody does. */
export async function readHolder(files: FileLayer, folder: string): Promise<LeaseHolder | undefined> {
  const path = join(folder, 'archive.lock');
  const [text, found] = [await textOf(files, path), await files.stat(path)];
  if (text === undefined || !found) return undefined;
  const renewedAt = new Date(found.mtimeMs).toISOString();
  const [space = '', pid = '', , since = ''] = text.split('\n');
  const [host = ''] = space.split(' ');
  return { name: pid === '' ? 'unknown' : `process ${pid} on ${host}`, since: since || renewedAt, renewedAt };
}

/** Removes the lock of a folder, whoever holds it. */
export async function unlockFolder(files: FileLayer, folder: string): Promise<LeaseHolder | undefined> {
  const holder = await readHolder(files, folder);
  if (holder) await files.remove(join(folder, 'archive.lock'));
  return holder;
}

/**
 * Creates a lock, or replaces one that was left behind. Only the holder of a guard may replace it. The guard is a lock too, with a name
 * that belongs to the one left behind, so that it may be left behind as well.
 *
 * @returns what the lock holds, which is less than `own` on a full disk; `undefined` where another holds it
 */
async function acquire(
  files: FileLayer,
  path: string,
  own: string,
  at = path,
  attempt = 0,
): Promise<string | undefined> {
  const created = await create(files, at, own);
  if (created !== undefined) return created;
  const [other, ageMs] = [await textOf(files, at), Date.now() - ((await files.stat(at))?.mtimeMs ?? 0)];
  // Just given back, or being written. A crash leaves a lock cut for good.
  const isNew = other !== undefined && !other.endsWith('\n') && ageMs < unnamedExpiresAfterMs;
  if (attempt < 48 && (other === undefined || isNew)) {
    await wait(50);
    return acquire(files, path, own, at, attempt + 1);
  }
  if (other === undefined || isNew || !isLeftBehind(other, ageMs)) return undefined;
  const guard = temporaryOf(path, `-${createHash('sha256').update(other).digest('hex').slice(0, 36)}`);
  const mark = await acquire(files, path, own, guard);
  if (mark === undefined) return undefined;
  const isSame = (await textOf(files, at)) === other;
  await (isSame ? files.rename(guard, at) : files.remove(guard));
  return isSame ? mark : undefined;
}

/** Creates a lock and returns what it holds; `undefined` where one exists. A full disk takes the file, but not the name in it. */
async function create(files: FileLayer, at: string, own: string): Promise<string | undefined> {
  const before = await files.stat(at);
  try {
    return (await files.writeExclusively(at, own)) ? own : undefined;
  } catch (error) {
    if (before || !isDiskFull(error)) throw error;
    const written = await textOf(files, at);
    if (written === undefined) throw error;
    return written;
  }
}

/** Whether a step failed because there is no room. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

/** Whether the holder of a lock ended. */
function isLeftBehind(text: string, ageMs: number): boolean {
  if (!text.endsWith('\n') || ageMs > expiresAfterMs) return true;
  const [space, pid] = text.split('\n');
  if (space !== processSpace()) return false;
  if (Number(pid) === process.pid) return !held.has(text);
  return isGone(Number(pid));
}

/** Where a pid means one process: a machine and, on Linux, a namespace of processes, as each container has one. */
function processSpace(): string {
  const namespace = processNamespace();
  return namespace === null ? hostname() : `${hostname()} ${namespace}`;
}
