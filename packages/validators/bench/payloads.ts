// Responses of realistic size, the same in every run: signals of one sample a second that wander within their range.
import { type OperationId, operations } from '@vehicle-data/openapi';
import { option } from './options.ts';

let seed = 42;

/** A number from 0 to 1 of a sequence that every run repeats. */
export function random(): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
}

/** Samples that wander, each at most a hundredth of the range from the one before. */
function wander(samples: number, minimum: number, maximum: number): number[] {
  const span = maximum - minimum;
  const decimals = Math.max(1, 4 - Math.ceil(Math.log10(span)));
  const within = (value: number) => Math.min(maximum, Math.max(minimum, value));
  let value = minimum + span * 0.4;
  return Array.from({ length: samples }, () => {
    value = within(value + (random() - 0.5) * span * 0.01);
    return within(Number(value.toFixed(decimals)));
  });
}

function switching(samples: number, values: readonly string[]): (string | undefined)[] {
  let value = values[0];
  return Array.from({ length: samples }, () => {
    if (random() < 0.002) value = values[Math.floor(random() * values.length)];
    return value;
  });
}

/** The response of a series operation: so many trips with so many samples in every signal. */
export function seriesResponse(operationId: OperationId, trips: number, samples: number): object {
  const { series } = operations[operationId];
  if (series === null) throw new Error(`${operationId} is no series`);
  const list = Array.from({ length: trips }, (_, index) => {
    const day = String(1 + Math.floor(index / 3)).padStart(2, '0');
    const trip: Record<string, unknown> = {
      [series.startTime]: `2026-03-${day}T${String(6 + (index % 3) * 5).padStart(2, '0')}:12:03.417Z`,
      [series.duration]: samples * 1000,
    };
    for (const [path, signal] of Object.entries(series.signals)) {
      const keys = path.split('.');
      const last = keys.pop() as string;
      let at = trip;
      for (const key of keys) {
        at[key] ??= {};
        at = at[key] as Record<string, unknown>;
      }
      at[last] =
        signal.kind === 'number'
          ? wander(samples, signal.minimum ?? 0, signal.maximum ?? 1000)
          : switching(samples, signal.values);
    }
    return trip;
  });
  return {
    data: { [series.items]: list },
    meta: { code: 200, message: 'Success', success: 'true', timestamp: '2026-03-09T07:00:00.000Z' },
  };
}

/** At most so many trips: the benchmark of streams can measure a part of each document. */
const mostTrips = Number(option('trips') ?? Infinity);

export const payload = (operation: OperationId, trips: number, samples: number) => {
  return { operation, text: JSON.stringify(seriesResponse(operation, Math.min(trips, mostTrips), samples)) };
};

/** The payloads of the performance page, as JSON text. */
export const payloads = {
  'driving week': payload('getDrivingData', 20, 3600),
  'powertrain week': payload('getPowertrainData', 20, 3600),
  'driving 30 s': payload('getDrivingData', 1, 30),
};
