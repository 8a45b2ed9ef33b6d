/** Time for which a process that stops tries to keep what waits, in milliseconds: a Redis that fails over rejects at once and is back soon. */
const lastTriesMs = 3000;
const pauseMs = 100;

/**
 * Takes a step again and again until nothing waits, for at most three seconds.
 *
 * @param step must not fail
 * @param waiting how much waits
 */
export async function lastTries(step: () => Promise<unknown>, waiting: () => number): Promise<void> {
  const giveUpMs = performance.now() + lastTriesMs;
  while (waiting() > 0 && performance.now() < giveUpMs) {
    await atMost(step(), giveUpMs - performance.now());
    if (waiting() > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Waits for a step that never fails, but no longer than this. */
export async function atMost(step: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([step, patience]);
  clearTimeout(timer);
}
