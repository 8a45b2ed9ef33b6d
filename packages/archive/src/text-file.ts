import { type TripOf, toCsv, toNdjson, usualStep } from '@vehicle-data/client/series';
import type { SeriesContract } from './contract.js';
import type { MadeFile } from './parquet-file.js';

/** Trips as sent, one line of JSON each. */
export async function ndjsonFile(trips: readonly unknown[]): Promise<MadeFile> {
  return { content: await bytesOf(toNdjson(trips)), rows: trips.length };
}

/** One line a sample, for spreadsheets. Samples out of range are empty. */
export async function csvFile({ name }: SeriesContract, trips: readonly unknown[]): Promise<MadeFile> {
  // Both functions read what is there, whatever the type claims.
  const typed = trips as readonly TripOf<typeof name>[];
  const content = await bytesOf(toCsv(name, typed, { usualStepMs: usualStep(name, typed) }));
  return { content, rows: linesOf(content) - 1 };
}

export function linesOf(content: Uint8Array): number {
  let lines = 0;
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) lines += 1;
  return lines;
}

export function readNdjson(content: Uint8Array): unknown[] {
  const lines = Buffer.from(content).toString('utf8').split('\n').slice(0, -1);
  return lines.map((line): unknown => JSON.parse(line));
}

async function bytesOf(texts: AsyncIterable<string>): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const text of texts) pieces.push(Buffer.from(text));
  return Buffer.concat(pieces);
}
