import { hostname } from 'node:os';
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
  const own = `${hostname()}\n${process.pid}\n${crypto.randomUUID()}\n`;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (await files.writeExclusively(path, own)) {
      held.add(own);
      return async () => {
        held.delete(own);
        if ((await textOf(files, path)) === own) await files.remove(path);
      };
    }
    const other = await textOf(files, path);
    if (other === undefined) continue;
    if (!isLeftBehind(other)) break;
    // Of several processes that find the same lock, one renames it; if that took a newer lock, it is put back.
    const aside = temporaryOf(path, `-${crypto.randomUUID()}`);
    try {
      await files.rename(path, aside);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') continue;
      throw error;
    }
    if ((await textOf(files, aside)) !== other) {
      await files.rename(aside, path);
      break;
    }
    await files.remove(aside);
  }
  throw new ArchiveError(
    'archive-locked',
    'another process works on this archive; wait for it, or delete archive.lock if that process ended on another machine',
  );
}

/** Whether the process ended that wrote a lock. A lock that cannot be read is of another machine. */
function isLeftBehind(text: string): boolean {
  const [host, pid] = text.split('\n');
  // A crash while the lock was written leaves it empty.
  if (!host) return true;
  if (host !== hostname()) return false;
  if (Number(pid) === process.pid) return !held.has(text);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
