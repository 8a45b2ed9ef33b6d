/**
 * How long tests wait, in milliseconds: bounds against hanging, at least ten times what a quiet machine needs. No test is judged by its time,
 * so these are the same everywhere.
 */
export const patience = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
};

/** How long a page is waited for, in milliseconds: Playwright's own half minute is short where several browsers start at once. */
export const pagePatienceMs = 120_000;

/**
 * The bound, in milliseconds, of a promise in time. A busy machine adds to what a test measures, so that only what never comes is found there;
 * with PROVE=times, on a machine that does nothing else, the promise itself is the bound.
 *
 * @param extraMs what the measurement adds on such a machine
 */
export const boundOf = (promisedMs: number, extraMs = 0): number =>
  process.env['PROVE'] === 'times' ? promisedMs + extraMs : Math.max(10 * promisedMs, 60_000);
