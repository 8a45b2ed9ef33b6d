import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { ArchiveError } from './archive-error.js';
import { type FileLayer, temporaryOf, textOf } from './file-layer.js';

/** Locks that this process holds. A lock with its pid that is not among them is of an earlier process with that pid. */
const held = new Set<string>();

/**
 * Makes this process the only one that works on an archive. A lock of a process of this machine that ended is taken over.
 *
 * @returns a function that gives the lock back.
 * @throws ArchiveError `archive-locked`.
 */
export async function takeLock(files: FileLayer, path: string): Promise<() => Promise<void>> {
  const own = `${processSpace()}\n${process.pid}\n${crypto.randomUUID()}\n`;
  held.add(own);
  try {
    if (!(await acquire(files, path, own))) {
      throw new ArchiveError(
        'archive-locked',
        'another process works on this archive; wait for it, or delete archive.lock if that process ended on another machine, in another container, or in one that was restarted since',
      );
    }
  } catch (error) {
    held.delete(own);
    throw error;
  }
  return async () => {
    held.delete(own);
    if ((await textOf(files, path)) === own) await files.remove(path);
  };
}

/**
 * Creates a lock, or replaces one that was left behind. Only the holder of a guard may replace it. The guard is a lock too, with a name
 * that belongs to the one left behind, so that it may be left behind as well.
 */
async function acquire(files: FileLayer, path: string, own: string, at = path, attempt = 0): Promise<boolean> {
  if (await files.writeExclusively(at, own)) return true;
  const other = await textOf(files, at);
  // Just given back, or being written. A crash leaves a lock cut for good.
  const isNew = async () => Date.now() - ((await files.stat(at))?.mtimeMs ?? 0) < 1000;
  if (attempt < 24 && (other === undefined || (!other.endsWith('\n') && (await isNew())))) {
    await wait(50);
    return acquire(files, path, own, at, attempt + 1);
  }
  if (other === undefined || !isLeftBehind(other)) return false;
  const guard = temporaryOf(path, `-${createHash('sha256').update(other).digest('hex').slice(0, 36)}`);
  if (!(await acquire(files, path, own, guard))) return false;
  const isSame = (await textOf(files, at)) === other;
  await (isSame ? files.rename(guard, at) : files.remove(guard));
  return isSame;
}

/** Whether the process ended that wrote a lock. A lock that cannot be read is of another machine. */
function isLeftBehind(text: string): boolean {
  if (!text.endsWith('\n')) return true;
  const [space, pid] = text.split('\n');
  if (space !== processSpace()) return false;
  if (Number(pid) === process.pid) return !held.has(text);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** Where a pid means one process: a machine and, on Linux, a namespace of processes, as each container has one. */
function processSpace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
