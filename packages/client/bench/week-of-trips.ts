// What the trip iterator takes for a week of driving data against JSON.parse of the same text: node bench/week-of-trips.ts

import { seriesTable } from '../dist/generated/signals.js';
import { createVehicleDataClient } from '../dist/index.js';
import { interleaved, printMachine } from './interleaved.ts';

/** A trip with every signal of the series, one sample a second. */
function tripOf(series: keyof typeof seriesTable, startTime: Date, seconds: number): Record<string, unknown> {
  const trip: Record<string, unknown> = { triggerStartTime: startTime.toISOString(), tripLength: seconds * 1_000 };
  for (const [path, signal] of Object.entries(seriesTable[series].signals)) {
    const groups = path.split('.');
    const leaf = groups.pop() ?? '';
    const values = Array.from({ length: seconds }, (_, i) =>
      signal.kind === 'number'
        ? Math.round((signal.minimum + ((signal.maximum - signal.minimum) * (1 + Math.sin(i / 60))) / 2) * 10) / 10
        : signal.values[(i >> 6) % signal.values.length],
    );
    let at = trip;
    for (const group of groups) {
      at[group] ??= {};
      at = at[group] as Record<string, unknown>;
    }
    at[leaf] = values;
  }
  return trip;
}

const days = Array.from({ length: 8 }, (_, day) => day);
const trips = days.flatMap((day) =>
  [7, 12, 17].map((hour) => tripOf('driving', new Date(Date.UTC(2026, 2, 2 + day, hour)), 2_400)),
);
const text = JSON.stringify({ data: { trips }, meta: { success: 'true' } });
const bytes = new TextEncoder().encode(text);
const headers = { 'content-type': 'application/json', 'content-length': `${bytes.byteLength}` };

/** The bytes as a transport hands them over: piece by piece. */
function body(): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.byteLength; at += 65_536) controller.enqueue(bytes.subarray(at, at + 65_536));
      controller.close();
    },
  });
}

const clientWith = (response: () => Response) =>
  createVehicleDataClient({
    baseUrl: 'http://127.0.0.1',
    brand: 'brand_a',
    accessToken: 'x',
    fetch: async () => response(),
  });
const stated = clientWith(() => new Response(body(), { headers }));
const unstated = clientWith(() => new Response(body()));

async function iterate(client: typeof stated): Promise<number> {
  let count = 0;
  for await (const _ of client.trips.driving({ vin: 'SANDB0XA000000001', from: '20260302', to: '20260309' }))
    count += 1;
  if (count !== trips.length) throw new Error(`${count} trips came instead of ${trips.length}`);
  return count;
}

printMachine('node bench/week-of-trips.ts');
const decoder = new TextDecoder();
const medians = await interleaved(
  {
    'JSON.parse': () => JSON.parse(text),
    'decode + JSON.parse': () => JSON.parse(decoder.decode(bytes)),
    'Response.json()': () => new Response(body(), { headers }).json(),
    'trip iterator': () => iterate(stated),
    'trip iterator, length not stated': () => iterate(unstated),
  },
  15,
  3,
);
const parse = medians.get('JSON.parse') ?? 0;
console.log(`${trips.length} trips, ${(bytes.byteLength / 1e6).toFixed(1)} MB`);
for (const [name, time] of medians) {
  console.log(
    `${name.padEnd(36)} ${(time / 1_000).toFixed(1).padStart(6)} ms   ${(time / parse).toFixed(2)} x JSON.parse`,
  );
}
