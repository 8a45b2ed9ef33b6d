// One file from several, without decoding them: pages are copied as they are, and the footer gets a row group for each.
import { type FileMetaData, parquetMetadataAsync } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { memberOf } from './format/trip-parts.js';
import { compressors, type ParquetCodec } from './parquet-codec.js';

/** Times of statistics as they are stored. */
const parsers = { timestampFromMicroseconds: (time: bigint) => time };
const magicBytes = 4;

/**
 * Files of consecutive windows as one. A pure function of its arguments.
 *
 * @returns `undefined` where they have other columns, contracts or times than each other
 */
export async function mergedParquet(
  contents: readonly Uint8Array[],
  range: { readonly from: string; readonly to: string },
  codec: ParquetCodec,
): Promise<Uint8Array | undefined> {
  const metadata: FileMetaData[] = [];
  for (const content of contents)
    metadata.push(await parquetMetadataAsync(new Uint8Array(content).buffer, { parsers }));
  const [first] = metadata;
  if (!first || new Set(metadata.map((one) => JSON.stringify(one.schema))).size !== 1) return undefined;
  const facts = factsOf(metadata, range);
  if (!facts) return undefined;
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: first.schema,
    codec,
    compressors,
    createdBy: '@vehicle-data/archive',
    kvMetadata: facts,
  });
  file.num_rows = 0n;
  for (const [index, content] of contents.entries()) {
    const one = metadata[index];
    if (!one) continue;
    const shift = BigInt(writer.offset - magicBytes);
    // Behind the pages come the footer, its length and the magic bytes.
    writer.appendBytes(content.subarray(magicBytes, content.length - one.metadata_length - 2 * magicBytes));
    file.num_rows += one.num_rows;
    for (const group of one.row_groups) file.row_groups.push(shifted(group, shift));
  }
  file.finish();
  return writer.getBytes();
}

type RowGroup = FileMetaData['row_groups'][number];

function shifted({ columns, ...group }: RowGroup, shift: bigint): RowGroup {
  return {
    ...group,
    columns: columns.map(({ meta_data: data, ...column }) => {
      const moved = { ...column, file_offset: column.file_offset + shift };
      if (!data) return moved;
      const { dictionary_page_offset: dictionary, statistics, ...rest } = data;
      // Texts are cut in statistics, maybe inside a character.
      const isKept = statistics !== undefined && data.type !== 'BYTE_ARRAY';
      return {
        ...moved,
        meta_data: {
          ...rest,
          data_page_offset: data.data_page_offset + shift,
          ...(dictionary !== undefined && { dictionary_page_offset: dictionary + shift }),
          ...(isKept && { statistics }),
        },
      };
    }),
  };
}

/** What the merged file says of itself: the same as its parts, but for the days and the usual step between samples. */
function factsOf(metadata: readonly FileMetaData[], { from, to }: { readonly from: string; readonly to: string }) {
  const facts = metadata.map(({ key_value_metadata: pairs = [] }) => {
    const text = pairs.find(({ key }) => key === 'vehicle-data')?.value ?? 'null';
    const value: unknown = JSON.parse(text);
    const time = pairs.find(({ key }) => key === 'vehicle-data.time')?.value ?? '';
    return { value: typeof value === 'object' && value !== null ? value : {}, time };
  });
  const shared = new Set(
    facts.map(({ value, time }) => JSON.stringify([{ ...value, from, to, usualStepMs: null }, time])),
  );
  const [first] = facts;
  if (!first || shared.size !== 1) return undefined;
  const steps = facts
    .map(({ value }) => memberOf(value, 'usualStepMs'))
    .filter((step): step is number => typeof step === 'number')
    .sort((one, other) => one - other);
  const usualStepMs = steps[steps.length >> 1] ?? null;
  return [
    { key: 'vehicle-data', value: JSON.stringify({ ...first.value, from, to, usualStepMs }) },
    { key: 'vehicle-data.time', value: first.time },
  ];
}
