import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type FileHandle, open, readFile, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isGone, processNamespace } from '#kit/process-space.js';
import { attempt } from '../attempt.js';
import type { Unlock } from './memory-store.js';

/** Time after which the file that guards a takeover counts as left behind, in milliseconds. */
const takeoverMs = 5000;

/**
 * Takes a lock among the processes that share a folder: a file that only one can create. A lock counts as left behind when it is
 * older than `ttlMs` milliseconds, or when its process is gone. Returns `null` when another process has it.
 */
export async function lockFile(path: string, ttlMs: number): Promise<Unlock | null> {
  const mark = processMark();
  if (!(await create(path, mark)) && !(await takeOver(path, mark, ttlMs))) return null;
  return async () => {
    const found = await readFile(path, 'utf8').catch(() => '');
    if (found === mark) await unlink(path).catch(() => {});
  };
}

/** Takes a lock as soon as the others have given it back. @throws {Error} when it cannot be had in `waitMs` milliseconds, or not at all */
export async function waitForLock(path: string, ttlMs: number, waitMs: number): Promise<Unlock> {
  const giveUpMs = performance.now() + waitMs;
  for (;;) {
    const unlock = await lockFile(path, ttlMs);
    if (unlock !== null) return unlock;
    if (performance.now() >= giveUpMs) throw new Error('the file stays locked');
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 30));
  }
}

/** Replaces a lock that was left behind. Of several processes that find it one does so; the others see its lock. */
async function takeOver(path: string, mark: string, ttlMs: number): Promise<boolean> {
  if (!(await isLeftBehind(path, ttlMs))) return false;
  const guard = `${path}.takeover`;
  if (!(await create(guard, mark))) {
    if ((await ageOf(guard)) > takeoverMs) await unlink(guard).catch(() => {});
    return false;
  }
  try {
    // Another process may have been faster.
    if (!(await isLeftBehind(path, ttlMs))) return false;
    await unlink(path).catch(() => {});
    return await create(path, mark);
  } finally {
    await unlink(guard).catch(() => {});
  }
}

async function create(path: string, mark: string): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  try {
    await file.writeFile(mark);
    return true;
  } catch (error) {
    // A full disk has room for the name of the file, but not for its mark.
    await unlink(path).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

async function isLeftBehind(path: string, ttlMs: number): Promise<boolean> {
  const ageMs = await ageOf(path);
  if (ageMs > ttlMs) return true;
  const mark = await readFile(path, 'utf8').catch(() => '');
  // A process that was killed between creating the file and writing its mark leaves an empty one.
  if (!/^[1-9]/.test(mark)) return ageMs > 1000;
  // Another machine or container has other processes under the same numbers, so its locks end by their age alone.
  return hasEnded(mark) === true;
}

/** What tells this process from others, and each call from others. */
export function processMark(): string {
  return `${process.pid} ${randomUUID()} ${processSpace()}`;
}

/** Whether the process of a mark has ended; `null` when it cannot be told, because it runs on another machine or in another container. */
export function hasEnded(mark: string): boolean | null {
  const [pid = '', , space] = mark.split(' ');
  return space === processSpace() ? isGone(Number(pid)) : null;
}

/** Age of a file in milliseconds, also of one from the future; 0 when it is gone, as it is no longer the one that was meant. */
async function ageOf(path: string): Promise<number> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
  return Math.abs(Date.now() - mtimeMs);
}

let knownSpace: string | undefined;

/** Where a process number means this process: a machine since its last start, and on Linux a namespace of processes. */
function processSpace(): string {
  const boot = () => attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  knownSpace ??= [hostname(), boot(), processNamespace()].join('/').replaceAll(' ', '_');
  return knownSpace;
}
