import { statSync } from 'node:fs';

/** What tells a file from the one that was there before; empty when there is none. Taken before a file is read, it misses no change. */
export function fileState(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}
