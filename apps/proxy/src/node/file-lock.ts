import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import type { Unlock } from '../store/store.js';

/**
 * Takes a lock among the processes of one machine: a file that only one can create. A lock whose process is gone, or that is
 * older than `ttlMs` milliseconds, counts as left behind. Returns `null` when somebody else has it.
 */
export async function lockFile(path: string, ttlMs: number): Promise<Unlock | null> {
  const mark = `${process.pid} ${randomUUID()}`;
  if (await create(path, mark)) return unlockerOf(path, mark);
  const found = await readFile(path, 'utf8').catch(() => null);
  if (found === null || !(await isLeftBehind(path, found, ttlMs))) return null;
  // Moved away instead of deleted: of several who find it, one gets it, and what is no longer the old lock goes back.
  const aside = `${path}.${randomUUID()}.old`;
  try {
    await rename(path, aside);
  } catch {
    return null;
  }
  const moved = await readFile(aside, 'utf8').catch(() => found);
  if (moved !== found) await link(aside, path).catch(() => {});
  await unlink(aside).catch(() => {});
  return moved === found && (await create(path, mark)) ? unlockerOf(path, mark) : null;
}

async function create(path: string, mark: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(mark).finally(() => file.close());
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function unlockerOf(path: string, mark: string): Unlock {
  return async () => {
    const found = await readFile(path, 'utf8').catch(() => '');
    if (found === mark) await unlink(path).catch(() => {});
  };
}

async function isLeftBehind(path: string, mark: string, ttlMs: number): Promise<boolean> {
  const ageMs = await stat(path).then(
    (found) => Date.now() - found.mtimeMs,
    () => 0,
  );
  if (ageMs > ttlMs) return true;
  const pid = Number(mark.split(' ')[0]);
  // A process that was killed between creating the file and writing its mark leaves an empty one.
  if (!Number.isSafeInteger(pid) || pid <= 0) return ageMs > 1000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
