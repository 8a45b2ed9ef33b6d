// node --expose-gc bench/streaming.ts [--rounds 45]
// Time to check a response's bytes as they flow, against holding, decoding, parsing and then checking them.
import { setTimeout } from 'node:timers/promises';
import { operations } from '@vehicle-data/openapi';
import { validateResponse } from '@vehicle-data/validators';
import { createResponseChecker } from '@vehicle-data/validators/stream';
import { measure, printTable } from './measure.ts';
import { payloads, random, seriesResponse } from './payloads.ts';
import { peers, schemaOf } from './peers.ts';

const driving = 'getDrivingData';

interface Trip {
  [group: string]: { [signal: string]: unknown[] } | string | number;
}

/** The driving response after a change to every trip, for example one that the contract does not allow, or does not know. */
function drifted(change: (trip: Trip, index: number) => void): string {
  const response = JSON.parse(payloads['driving week'].text) as { data: { trips: Trip[] } };
  response.data.trips.forEach(change);
  return JSON.stringify(response);
}

/** The driving response with every list of one kind of value replaced. */
function changed(kind: 'number' | 'string', change: (value: never, all: readonly never[]) => unknown): string {
  return drifted((trip) => {
    for (const group of Object.values(trip)) {
      if (typeof group !== 'object') continue;
      for (const [signal, values] of Object.entries(group)) {
        const known = [...new Set(values)] as never[];
        if (typeof values[0] === kind) group[signal] = values.map((value) => change(value as never, known));
      }
    }
  });
}

/** The samples of the odometer in a trip. */
function odometerOf(trip: Trip): unknown[] {
  const signals = trip['odometer'];
  return typeof signals === 'object' ? (signals['value'] ?? []) : [];
}

interface Document {
  readonly operation: 'getDrivingData' | 'getPowertrainData';
  readonly text: string;
  /** Whether the document violates the contract. */
  readonly wrong?: true;
}

const documents: Readonly<Record<string, Document>> = {
  'driving 8 MB': { operation: driving, text: JSON.stringify(seriesResponse(driving, 28, 3720)) },
  ...payloads,
  'random choices': { operation: driving, text: changed('string', (_, all) => all[Math.floor(random() * all.length)]) },
  '17-digit numbers': {
    operation: driving,
    text: changed('number', (value) => (value as number) * (1 - random() * 1e-9)),
  },
  'one violation': {
    operation: driving,
    wrong: true,
    text: drifted((trip, index) => {
      if (index === 0) odometerOf(trip)[5] = -1;
    }),
  },
  'a null per trip': {
    operation: driving,
    wrong: true,
    text: drifted((trip) => {
      odometerOf(trip)[5] = null;
    }),
  },
  'one unknown signal': {
    operation: driving,
    text: drifted((trip) => {
      trip['unknown'] = { speed: odometerOf(trip).slice() };
    }),
  },
  'pretty-printed': { operation: driving, text: JSON.stringify(JSON.parse(payloads['driving week'].text), null, 2) },
};

function pieces(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

for (const [name, { operation, text, wrong = false }] of Object.entries(documents)) {
  const bytes = Buffer.from(text);
  const ajv = await peers['ajv (needs eval)']?.(schemaOf(operations[operation].responses[200]));
  const chunks = pieces(bytes, 65_536);
  const decoded = () => Buffer.concat(chunks).toString();
  const require = (good: unknown) => {
    if (good === wrong) throw new Error(`a candidate is wrong about ${name}`);
  };
  const stream = (size: number) => {
    const parts = pieces(bytes, size);
    return () => {
      const checker = createResponseChecker(operation, 200);
      for (const part of parts) checker.write(part);
      require(checker.end().ok);
    };
  };
  const times = measure(
    {
      'decode + JSON.parse + ajv': () => require(ajv?.(JSON.parse(decoded()))),
      'decode + JSON.parse + compiled': () => require(validateResponse(operation, 200, JSON.parse(decoded())).ok),
      'decode + JSON.parse': () => JSON.parse(decoded()) as unknown,
      'stream, pieces of 16 kB': stream(16_384),
      'stream, pieces of 64 kB': stream(65_536),
      'stream, pieces of 256 kB': stream(262_144),
    },
    () => undefined,
    text.length < 100_000 ? 300 : 1,
  );
  printTable(`${name}, ${bytes.length} bytes`, times, 'decode + JSON.parse + ajv');
}

/** What the heap holds. More than once and with pauses: what the tables above have left goes only then. */
async function held(): Promise<number> {
  for (let pass = 0; pass < 10; pass++) {
    globalThis.gc?.();
    await setTimeout(20);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const text = documents['driving 8 MB']?.text ?? '';
const half = pieces(Buffer.from(text.slice(0, text.length / 2)), 65_536);
// The first ones bring what all share; many at once, because one holds less than the heap changes by itself.
const start = () => {
  const checker = createResponseChecker(driving, 200);
  for (const part of half) checker.write(part);
  return checker;
};
const warm = Array.from({ length: 100 }, start);
const before = await held();
const checkers = Array.from({ length: 1000 }, start);
const during = await held();
console.log(`\nheld by a checker in the middle of 8 MB: ${((during - before) / checkers.length / 1000).toFixed(2)} kB`);
if (![...warm, ...checkers].every((checker) => checker.write(Buffer.alloc(0))))
  throw new Error('a checker rejects the first half');
