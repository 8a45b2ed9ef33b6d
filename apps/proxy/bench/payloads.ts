import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OperationSpec, operations } from '@vehicle-data/openapi';

type Signals = NonNullable<OperationSpec['series']>['signals'];

const meta = {
  code: 200,
  message: 'Success',
  success: 'true',
  timestamp: '2026-01-08T10:15:30.123Z',
  requestId: '5b1f7d3e-2a64-4c58-9f0e-0d2a8b6c7e11',
};

/** Numbers from 0 to 1 that are the same in every run. */
function sequence(): () => number {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

function samples(signal: Signals[string], count: number, next: () => number): (number | string)[] {
  if (signal.kind === 'enumeration') {
    let current = signal.values[0] ?? '';
    return Array.from({ length: count }, () => {
      if (next() < 0.002) current = signal.values[Math.floor(next() * signal.values.length)] ?? current;
      return current;
    });
  }
  const low = signal.minimum ?? 0;
  const high = signal.maximum ?? 100;
  let value = (low + high) / 2;
  const step = (high - low) / 2000;
  return Array.from({ length: count }, () => {
    value = Math.min(high, Math.max(low, value + (next() * 2 - 1) * step));
    return Number(value.toPrecision(5));
  });
}

function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) target[first] = value;
  else {
    target[first] ??= {};
    put(target[first] as Record<string, unknown>, rest.join('.'), value);
  }
}

/** A success response of the driving call of about so many bytes: trips of up to an hour, one sample a second. */
export function drivingResponse(bytes: number): string {
  const { series } = operations.getDrivingData;
  const next = sequence();
  const items: Record<string, unknown>[] = [];
  const trip = (count: number) => {
    const start = new Date(Date.UTC(2026, 0, 1, 6 + items.length * 3)).toISOString();
    const item: Record<string, unknown> = { [series.startTime]: start, [series.duration]: count * 1000 };
    for (const [path, signal] of Object.entries(series.signals)) put(item, path, samples(signal, count, next));
    return item;
  };
  const perSample = JSON.stringify(trip(1000)).length / 1000;
  for (let left = Math.max(1, Math.round((bytes - 300) / perSample)); left > 0; left -= 3600)
    items.push(trip(Math.min(left, 3600)));
  return JSON.stringify({ data: { [series.items]: items }, meta });
}

/** A success response of the location call: about 300 bytes. */
export function locationResponse(): string {
  const location = {
    latitude: 37.46,
    longitude: 127.04,
    altitude: 42,
    heading: 271,
    type: 0,
    speed: { value: 63, unit: 'kph' },
  };
  return JSON.stringify({ data: { location, timestamp: '2026-01-08T10:15:29Z' }, meta });
}

/** The VIN under which the origin responds with a payload of this size. */
export function vinOf(bytes: number): string {
  return `BENCH${String(bytes).padStart(12, '0')}`;
}

/** Writes the payloads as files for the origin. */
export function writePayloads(folder: string, sizes: readonly number[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'location.json'), locationResponse());
  for (const bytes of sizes) writeFileSync(join(folder, `${vinOf(bytes)}.json`), drivingResponse(bytes));
}
