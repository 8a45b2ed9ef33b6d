// node bench/streaming.ts [--rounds 45] [--only 'powertrain week'] [--trips 1]
// Time to check a response's bytes as they flow, against holding, decoding, parsing and then checking them.
// With one trip instead of all, calls take a millisecond, which a busy machine now and then gives to one program alone.
import { operations } from '@vehicle-data/openapi';
import { validateResponse } from '@vehicle-data/validators';
import { createResponseChecker } from '@vehicle-data/validators/stream';
import { documents } from './documents.ts';
import { measure, printTable } from './measure.ts';
import { option } from './options.ts';
import { peers, schemaOf } from './peers.ts';

function pieces(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

const only = option('only') ?? '';
for (const [name, { operation, text, wrong = false }] of Object.entries(documents)) {
  if (!name.includes(only)) continue;
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
    text.length < 10_000 ? 300 : 1,
  );
  printTable(`${name}, ${bytes.length} bytes`, times, 'decode + JSON.parse + ajv');
}
