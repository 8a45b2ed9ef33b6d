import { setTimeout as wait } from 'node:timers/promises';

/** Waits until something is so. @throws {Error} when it is not within the time, in milliseconds */
export async function until(isSo: () => boolean | Promise<boolean>, timeMs: number, what: string): Promise<void> {
  const endMs = performance.now() + timeMs;
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`not ${what} within ${timeMs / 1000} s`);
    await wait(250);
  }
}
