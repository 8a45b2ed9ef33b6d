import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { decompressors } from '../src/parquet-codec.js';
import { parquetFile } from '../src/parquet-columns.js';

const columns = [
  { name: 'numbers', type: 'doubles' },
  { name: 'texts', type: 'texts' },
  { name: 'number', type: 'double' },
] as const;
const nullable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 9 });
/** Few numbers that come back, and many that do not. */
const numbers = fc.oneof(fc.constantFrom(0, -0, 1677721.4, -4.177), fc.double({ noNaN: true }));
const row = fc.record(
  {
    numbers: nullable(fc.oneof(fc.array(nullable(numbers), { maxLength: 2_000, size: 'max' }), fc.constant([7, 7, 7]))),
    number: nullable(fc.constantFrom(0, -0, 1.5)),
    texts: nullable(fc.array(nullable(fc.constantFrom('on', 'off', 'ü', '')), { maxLength: 100 })),
  },
  { noNullPrototype: true },
);

test('lists and numbers, -0 and nulls among them, are read by hyparquet as they were written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), fc.constantFrom('ZSTD', 'SNAPPY'), async (rows, codec) => {
      fc.pre(codec === 'SNAPPY' || 'ZSTD' in decompressors);
      const content = parquetFile(columns, rows, codec, {});
      const file = new Uint8Array(content).buffer;
      const read = await parquetReadObjects({ file, compressors: decompressors });
      // hyparquet gives `undefined` for a list that is null.
      const plain = read.map(({ numbers = null, texts = null, number }) => ({ numbers, texts, number }));
      expect(plain).toStrictEqual(rows);
    }),
    { numRuns: 60 },
  );
});
