import { operations } from '@vehicle-data/openapi';
import { expect, test } from 'vitest';
import { allEntry, sizeOf } from '../bench/core-size.ts';

// A contract that grows takes its room: an operation is an entry of the table and a few error codes.
const further = 80 * Math.max(0, Object.keys(operations).length - 6);
// And a series is a table of its signals.
const furtherSeries = 300 * (Object.values(operations).filter(({ series }) => series).length - 2);

const allSeries = "export * from './series/index.js';";
test.each([
  ['every export of the main entry, openapi-fetch included', allEntry, false, 10_700 + further],
  ['the main entry with trips, sync and raw in one file', allEntry, true, 14_400 + further],
  ['the series with the signals of the contract', allSeries, false, 3_000 + furtherSeries],
  ['the series with the writer of CSV in one file', allSeries, true, 3_600 + furtherSeries],
  ['the query options', "export * from './query/index.js';", false, 1_000],
])('%s is at most its size, minified and gzipped', async (_, entry, inOneFile, most) => {
  const bytes = await sizeOf(entry, { inOneFile });
  expect(bytes).toBeGreaterThan(100);
  expect(bytes).toBeLessThanOrEqual(most);
});
