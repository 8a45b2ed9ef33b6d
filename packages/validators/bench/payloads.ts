// Responses of realistic size, the same in every run: signals of one sample a second that wander within their range.
import { type OperationId, operations } from '@vehicle-data/openapi';

let seed = 42;

/** A number from 0 to 1 of a sequence that every run repeats. */
export function random(): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
}

function wander(samples: number, minimum: number, maximum: number): number[] {
  const span = maximum - minimum;
  const decimals = Math.max(1, 4 - Math.ceil(Math.log10(span)));
  let value = minimum + span * 0.4;
  return Array.from({ length: samples }, () => {
    value = Math.min(maximum, Math.max(minimum, value + (random() - 0.5) * span * 0.01));
    return Number(value.toFixed(decimals));
  }).map((sample) => Math.min(maximum, Math.max(minimum, sample)));
}

function switching(samples: number, values: readonly string[]): string[] {
  let value = values[0] as string;
  return Array.from({ length: samples }, () => {
    if (random() < 0.002) value = values[Math.floor(random() * values.length)] as string;
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
    meta: {
      code: 200,
      message: 'Success',
      success: 'true',
      timestamp: '2026-03-09T07:00:00.000Z',
      requestId: '0c9a7a5e-4f2c-4c59-8a6e-2f6f1f6a9d10',
    },
  };
}

/** The payloads of the performance page, as JSON text. */
export const payloads = {
  'driving week': { operation: 'getDrivingData', text: JSON.stringify(seriesResponse('getDrivingData', 20, 3600)) },
  'powertrain week': {
    operation: 'getPowertrainData',
    text: JSON.stringify(seriesResponse('getPowertrainData', 20, 3600)),
  },
  'driving 30 s': { operation: 'getDrivingData', text: JSON.stringify(seriesResponse('getDrivingData', 1, 30)) },
} as const;
