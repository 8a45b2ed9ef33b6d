import { type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { attempt } from '../attempt.js';

const lookEveryMs = 1000;

/** What tells a file from the one that was there before; empty when there is none. Taken before a file is read, it misses no change. */
export function fileState(path: string): string {
  return attempt(() => stateOf(statSync(path))) ?? '';
}

/**
 * Looks once a second whether files have changed, each by its state when it was read last. A file system that hangs delays only the next
 * look. Returns what ends the looking.
 */
export function lookForChanges(known: () => ReadonlyMap<string, string>, onChange: () => void): () => void {
  let isLooking = false;
  let ended = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    const changes = [...known()].map(async ([path, state]) => state !== (await stat(path).then(stateOf, () => '')));
    const hasChanged = (await Promise.all(changes)).includes(true);
    isLooking = false;
    if (hasChanged && !ended) onChange();
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return () => {
    ended = true;
    clearInterval(timer);
  };
}

function stateOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}
