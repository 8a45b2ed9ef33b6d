// node --expose-gc bench/streaming.ts [--rounds 15]
// Time to check an answer's bytes as they flow, against holding, decoding, parsing and then checking them.
import { operations } from '@vehicle-data/openapi';
import { validateResponse } from '@vehicle-data/validators';
import { createResponseChecker } from '@vehicle-data/validators/stream';
import { measure, printHeader, printTable } from './measure.ts';
import { payloads, random, seriesAnswer } from './payloads.ts';
import { peers, schemaOf } from './peers.ts';

const flag = process.argv.indexOf('--rounds');
const rounds = flag < 0 ? 15 : Number(process.argv[flag + 1]);
const driving = 'getDrivingData';

interface Trip {
  [group: string]: { [signal: string]: unknown[] } | string | number;
}

/** The driving answer with every list of one kind of value replaced. */
function changed(kind: 'number' | 'string', change: (value: never, all: readonly never[]) => unknown): string {
  const answer = JSON.parse(payloads['driving week'].text) as { data: { trips: Trip[] } };
  for (const trip of answer.data.trips) {
    for (const group of Object.values(trip)) {
      if (typeof group !== 'object') continue;
      for (const [signal, values] of Object.entries(group)) {
        const known = [...new Set(values)] as never[];
        if (typeof values[0] === kind) group[signal] = values.map((value) => change(value as never, known));
      }
    }
  }
  return JSON.stringify(answer);
}

const documents: Readonly<
  Record<string, { readonly operation: 'getDrivingData' | 'getPowertrainData'; readonly text: string }>
> = {
  'driving 8 MB': { operation: driving, text: JSON.stringify(seriesAnswer(driving, 28, 3720)) },
  ...payloads,
  'random choices': { operation: driving, text: changed('string', (_, all) => all[Math.floor(random() * all.length)]) },
  '17-digit numbers': {
    operation: driving,
    text: changed('number', (value) => (value as number) * (1 - random() * 1e-9)),
  },
  'pretty-printed': { operation: driving, text: JSON.stringify(JSON.parse(payloads['driving week'].text), null, 2) },
};

function pieces(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

printHeader('node --expose-gc bench/streaming.ts');
for (const [name, { operation, text }] of Object.entries(documents)) {
  const bytes = Buffer.from(text);
  const ajv = await peers['ajv']?.make(schemaOf(operations[operation].responses[200]));
  const chunks = pieces(bytes, 65_536);
  const decoded = () => Buffer.concat(chunks).toString();
  const require = (good: unknown) => {
    if (good !== true) throw new Error(`a candidate refuses ${name}`);
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
  printTable(`${name}, ${bytes.length} bytes`, times, 'decode + JSON.parse + ajv');
}

const collect = globalThis.gc;
if (collect) {
  const held = () => {
    collect();
    return process.memoryUsage().heapUsed + process.memoryUsage().external;
  };
  const bytes = Buffer.from(documents['driving 8 MB']?.text ?? '');
  const before = held();
  const checker = createResponseChecker(driving, 200);
  for (const part of pieces(bytes.subarray(0, bytes.length / 2), 65_536)) checker.write(part);
  const during = held();
  const parsed = JSON.parse(bytes.toString()) as object;
  const after = held();
  console.log(
    `\nheld in the middle of 8 MB: ${((during - before) / 1000).toFixed(0)} kB by the checker, ` +
      `${((after - during) / 1e6).toFixed(0)} MB by a parsed answer (${Object.keys(parsed).length} members, ${checker.write(new Uint8Array(0))})`,
  );
}
