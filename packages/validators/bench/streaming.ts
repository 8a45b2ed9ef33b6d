// node bench/streaming.ts [--rounds 45]
// Time to check a response's bytes as they flow, against holding, decoding, parsing and then checking them.
import { type OperationId, operations } from '@vehicle-data/openapi';
import { validateResponse } from '@vehicle-data/validators';
import { createResponseChecker } from '@vehicle-data/validators/stream';
import { measure, printTable } from './measure.ts';
import { payloads, random, seriesResponse } from './payloads.ts';
import { peers, schemaOf } from './peers.ts';

const { operation, text: week } = payloads['driving week'];

/** The driving response after a change to every list of samples. */
function changed(change: (samples: readonly unknown[]) => readonly unknown[]): string {
  const isSamples = (value: unknown): value is unknown[] => Array.isArray(value) && typeof value[0] !== 'object';
  return JSON.stringify(JSON.parse(week, (_, value: unknown) => (isSamples(value) ? change(value) : value)));
}

/** Documents and, of those that violate the contract, that they do. */
const documents: Readonly<Record<string, { operation: OperationId; text: string; wrong?: true }>> = {
  'driving 8 MB': { operation, text: JSON.stringify(seriesResponse(operation, 28, 3720)) },
  ...payloads,
  'random choices': {
    operation,
    text: changed((samples) => {
      const known = [...new Set(samples)];
      return typeof samples[0] === 'string' ? samples.map(() => known[Math.floor(random() * known.length)]) : samples;
    }),
  },
  '17-digit numbers': {
    operation,
    text: changed((samples) => samples.map((one) => (typeof one === 'number' ? one * (1 - random() * 1e-9) : one))),
  },
  'one violation': { operation, wrong: true, text: week.replace(/("value":\[[^,]*),[^,]*/, '$1,-1') },
  'a null per trip': { operation, wrong: true, text: week.replace(/("value":\[[^,]*),[^,]*/g, '$1,null') },
  'one unknown signal': { operation, text: week.replace(/"odometer":(\{[^}]*\})/g, '$&,"unknown":$1') },
  'pretty-printed': { operation, text: JSON.stringify(JSON.parse(week), null, 2) },
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
