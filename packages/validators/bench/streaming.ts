// node --expose-gc bench/streaming.ts [--rounds 61] [--save]
// Time to check a response's bytes as they flow, against holding, decoding, parsing and then checking them.
import { setTimeout } from 'node:timers/promises';
import { operations } from '@vehicle-data/openapi';
import { validateResponse } from '@vehicle-data/validators';
import { createResponseChecker } from '@vehicle-data/validators/stream';
import { measure, Report } from './measure.ts';
import { payloads, random, seriesResponse } from './payloads.ts';
import { peers, schemaOf } from './peers.ts';

const flag = process.argv.indexOf('--rounds');
const rounds = flag < 0 ? 61 : Number(process.argv[flag + 1]);
const driving = 'getDrivingData';

interface Trip {
  [group: string]: { [signal: string]: unknown[] } | string | number;
}

/** The driving response with every list of one kind of value replaced. */
function changed(kind: 'number' | 'string', change: (value: never, all: readonly never[]) => unknown): string {
  const response = JSON.parse(payloads['driving week'].text) as { data: { trips: Trip[] } };
  for (const trip of response.data.trips) {
    for (const group of Object.values(trip)) {
      if (typeof group !== 'object') continue;
      for (const [signal, values] of Object.entries(group)) {
        const known = [...new Set(values)] as never[];
        if (typeof values[0] === kind) group[signal] = values.map((value) => change(value as never, known));
      }
    }
  }
  return JSON.stringify(response);
}

/** The driving response after a change to every trip: what the contract does not allow, or does not know. */
function drifted(change: (trip: Trip, index: number) => void): string {
  const response = JSON.parse(payloads['driving week'].text) as { data: { trips: Trip[] } };
  response.data.trips.forEach(change);
  return JSON.stringify(response);
}

/** A signal of a trip, such as `odometer.value`. */
function signalOf(trip: Trip, group: string, name: string): unknown[] {
  const signals = trip[group];
  return typeof signals === 'object' ? (signals[name] ?? []) : [];
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
      if (index === 0) signalOf(trip, 'odometer', 'value')[5] = -1;
    }),
  },
  'a null per trip': {
    operation: driving,
    wrong: true,
    text: drifted((trip) => {
      signalOf(trip, 'odometer', 'value')[5] = null;
    }),
  },
  'one unknown signal': {
    operation: driving,
    text: drifted((trip) => {
      trip['unknown'] = { speed: signalOf(trip, 'odometer', 'value').slice() };
    }),
  },
  'pretty-printed': { operation: driving, text: JSON.stringify(JSON.parse(payloads['driving week'].text), null, 2) },
};

function pieces(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

const report = new Report('streaming');
for (const [name, { operation, text, wrong = false }] of Object.entries(documents)) {
  const bytes = Buffer.from(text);
  const ajv = await peers['ajv']?.make(schemaOf(operations[operation].responses[200]));
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
  const small = text.length < 100_000;
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
    { rounds, warmUp: small ? 10 : 8, calls: small ? 300 : 1 },
  );
  report.table(`${name}, ${bytes.length} bytes`, times, 'decode + JSON.parse + ajv');
}

const collect = globalThis.gc;
if (collect) {
  const held = async () => {
    // More than once and with pauses: what the tables above have left, buffers above all, goes only then.
    for (let pass = 0; pass < 10; pass++) {
      collect();
      await setTimeout(20);
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const bytes = Buffer.from(documents['driving 8 MB']?.text ?? '');
  const half = pieces(bytes.subarray(0, bytes.length / 2), 65_536);
  const start = () => {
    const checker = createResponseChecker(driving, 200);
    for (const part of half) checker.write(part);
    return checker;
  };
  // The first ones bring what all share; many at once, because one holds less than the heap changes by itself.
  const warm = Array.from({ length: 100 }, start);
  const before = await held();
  const checkers = Array.from({ length: 1000 }, start);
  const during = await held();
  const parsed = JSON.parse(bytes.toString()) as object;
  const after = await held();
  report.figure('held by a checker in the middle of 8 MB, kB', (during - before) / checkers.length / 1000);
  report.figure('held by the parsed response, MB', (after - during) / 1e6);
  if (![...warm, ...checkers].every((checker) => checker.write(bytes.subarray(0, 0))) || !('data' in parsed)) {
    throw new Error('a checker rejects the first half');
  }
}
report.end();
