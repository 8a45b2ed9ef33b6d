// What the trip iterator takes for a week of driving data against JSON.parse of the same text: node bench/week-of-trips.ts
import { seriesTable } from '../dist/generated/signals.js';
import { createVehicleDataClient } from '../dist/index.js';
import { interleaved, printMachine } from './interleaved.ts';

/** A trip of forty minutes with every signal of the series, one sample a second. */
function tripAt(start: number): object {
  const trip: Record<string, Record<string, unknown[]>> = {};
  for (const [path, signal] of Object.entries(seriesTable.driving.signals)) {
    const [group = '', member = ''] = path.split('.');
    const values = Array.from({ length: 2_400 }, (_, i) =>
      signal.kind === 'number'
        ? Math.round((signal.minimum + ((signal.maximum - signal.minimum) * (1 + Math.sin(i / 60))) / 2) * 10) / 10
        : signal.values[(i >> 6) % signal.values.length],
    );
    trip[group] = { ...trip[group], [member]: values };
  }
  return { ...trip, triggerStartTime: new Date(start).toISOString(), tripLength: 2_400_000 };
}

// Three trips a day for eight days.
const trips = Array.from({ length: 24 }, (_, index) => tripAt(Date.UTC(2026, 2, 2, 7 + index * 8)));
const text = JSON.stringify({ data: { trips }, meta: { success: 'true' } });
const bytes = new TextEncoder().encode(text);
const headers = { 'content-type': 'application/json', 'content-length': `${bytes.byteLength}` };

/** The bytes as a transport hands them over: piece by piece. */
function responseWith(init: ResponseInit): Response {
  const body = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.byteLength; at += 65_536) controller.enqueue(bytes.subarray(at, at + 65_536));
      controller.close();
    },
  });
  return new Response(body, init);
}

/** Iterates over the week, with responses whose length is stated or not. */
function iteration(init: ResponseInit): () => Promise<void> {
  const { trips: iterators } = createVehicleDataClient({
    baseUrl: 'http://127.0.0.1',
    brand: 'brand_a',
    accessToken: 'x',
    fetch: async () => responseWith(init),
  });
  return async () => {
    let count = 0;
    const range = { vin: 'SANDB0XA000000001', from: '20260302', to: '20260309' };
    for await (const _ of iterators.driving(range)) count += 1;
    if (count !== trips.length) throw new Error(`${count} trips came instead of ${trips.length}`);
  };
}

printMachine('node bench/week-of-trips.ts');
const decoder = new TextDecoder();
const medians = await interleaved(
  {
    'JSON.parse': () => JSON.parse(text),
    'decode + JSON.parse': () => JSON.parse(decoder.decode(bytes)),
    'Response.json()': () => responseWith({ headers }).json(),
    'trip iterator': iteration({ headers }),
    'trip iterator, length not stated': iteration({}),
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
