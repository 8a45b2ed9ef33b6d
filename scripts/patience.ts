/**
 * How long tests wait, in milliseconds: bounds against hanging, at least ten times what a quiet machine needs. No test is judged by its time,
 * so these are the same everywhere.
 */
export const patience = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
};
