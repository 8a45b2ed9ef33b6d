import type { ColumnChunk, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type FileColumn, valueTypes } from './columns.js';
import { compressors, type ParquetCodec } from './parquet-codec.js';
import { writeColumn, writeDataPageV2, writeDictionaryPage } from './parquet-internals.js';

type Row = Readonly<Record<string, unknown>>;
type Levels = Omit<Parameters<typeof writeColumn>[0]['pageData'], 'values'>;
type ColumnEncoder = Parameters<typeof writeColumn>[0]['column'];

/**
 * A Parquet file of one row group, with one page a column. `parquetWriteBuffer` of the writer's package takes several times as
 * long: it visits every sample of a list on its own.
 */
export function parquetFile(
  columns: readonly FileColumn[],
  rows: readonly Row[],
  codec: ParquetCodec,
  facts: Readonly<Record<string, string>>,
): Uint8Array {
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(schemaOf)],
    codec,
    compressors,
    createdBy: '@vehicle-data/archive',
    kvMetadata: Object.entries(facts).map(([key, value]) => ({ key, value })),
  });
  const start = writer.offset;
  const levels = new Map<string, Levels>();
  const chunks = columns.map((column) => {
    const cells = rows.map((row) => row[column.name] ?? null);
    const encoder = encoderOf(column, codec);
    if (column.isList) return listChunk(writer, encoder, cells, column.type === 'double' ? 'number' : 'string', levels);
    const definitionLevels = cells.map((cell) => (cell === null ? 0 : 1));
    const pageData = { values: cells, definitionLevels, repetitionLevels: [], maxDefinitionLevel: 1 };
    // The writer's dictionary takes -0 for 0.
    const isPlain = cells.some((cell) => Object.is(cell, -0));
    return writeColumn({ writer, column: isPlain ? { ...encoder, encoding: 'PLAIN' } : encoder, pageData }).chunk;
  });
  file.num_rows = BigInt(rows.length);
  file.row_groups.push({
    columns: chunks,
    total_byte_size: chunks.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n),
    total_compressed_size: BigInt(writer.offset - start),
    num_rows: file.num_rows,
  });
  file.finish();
  return writer.getBytes();
}

/** The schema of a column: everything may be null, lists in the three-level form that every engine reads. */
function schemaOf({ name, type, isList }: FileColumn): SchemaElement[] {
  const { parquet } = valueTypes[type];
  if (!isList) return [{ name, repetition_type: 'OPTIONAL', ...parquet }];
  return [
    { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...parquet },
  ];
}

function encoderOf(column: FileColumn, codec: ParquetCodec): ColumnEncoder {
  const schemaPath = [{ name: 'root', num_children: 0 }, ...schemaOf(column)];
  const element = schemaPath.at(-1) ?? { name: column.name };
  const { name: columnName } = column;
  const indexes = { columnIndex: false, offsetIndex: false };
  return { columnName, element, schemaPath, codec, compressors, stats: true, pageSize: 0, ...indexes };
}

/** Where lists begin and nulls are. https://parquet.apache.org/docs/file-format/nestedencoding/ */
function levelsOf(lists: readonly (readonly unknown[] | null)[]): Levels {
  const length = lists.reduce((sum, list) => sum + (list?.length || 1), 0);
  const definitionLevels = new Array<number>(length).fill(3);
  const repetitionLevels = new Array<number>(length).fill(1);
  let at = 0;
  for (const list of lists) {
    repetitionLevels[at] = 0;
    if (!list?.length) definitionLevels[at] = list ? 1 : 0;
    else if (list.includes(null)) {
      for (const [index, sample] of list.entries()) if (sample === null) definitionLevels[at + index] = 2;
    }
    at += list?.length || 1;
  }
  return { definitionLevels, repetitionLevels, maxDefinitionLevel: 3 };
}

/** A column of lists. Least and greatest sample are left out: they help no query. */
function listChunk(
  writer: ByteWriter,
  column: ColumnEncoder,
  cells: readonly unknown[],
  type: 'number' | 'string',
  known: Map<string, Levels>,
): ColumnChunk {
  const lists = cells.map((cell): readonly unknown[] | null => (Array.isArray(cell) ? cell : null));
  const present = lists.filter((list) => list !== null);
  const { values: distinctValues, indexes, runs } = dictionaryOf(type, present);
  // Signals of a trip mostly have the same number of samples, and so the same levels.
  const shape = lists.map((list) => (list?.includes(null) ? column.columnName : list?.length)).join();
  const levels = known.get(shape) ?? levelsOf(lists);
  known.set(shape, levels);
  const distinct = distinctValues.length;
  // A dictionary helps where values come back. Those of an odometer do not.
  const isUseful = distinct > 0 && (runs >= 3 * distinct || indexes.length >= 50 * distinct);
  const values = isUseful ? indexes : indexes.map((index) => distinctValues[index]);
  const start = writer.offset;
  const dictionarySize = isUseful ? writeDictionaryPage(writer, column, distinctValues) : 0;
  const dataStart = writer.offset;
  const encoding = isUseful ? 'RLE_DICTIONARY' : 'PLAIN';
  const pageSize = writeDataPageV2({ writer, column, encoding, pageData: { values, ...levels } });
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: column.element.type ?? 'DOUBLE',
      encodings: ['PLAIN', encoding],
      path_in_schema: column.schemaPath.slice(1).map(({ name }) => name),
      codec: column.codec,
      num_values: BigInt(levels.definitionLevels.length),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(dictionarySize + pageSize),
      data_page_offset: BigInt(dataStart),
      ...(isUseful && { dictionary_page_offset: BigInt(start) }),
    },
  };
}

/** Room for indexes. Columns of one file use it one after the other: mostly they have the same number of samples. */
let room: number[] = [];

/**
 * The dictionary of lists of texts or of numbers; samples of another type are left out. That of the writer's package takes -0 for
 * 0, and over three years of trips a third more memory.
 *
 * @returns `values`, the distinct ones in the order in which they came; `indexes`, for each sample that of its value, which the next
 *   dictionary overwrites; `runs`, how many samples differ from the one before
 */
function dictionaryOf(type: 'number' | 'string', lists: readonly (readonly unknown[])[]) {
  const capacity = lists.reduce((sum, list) => sum + list.length, 0);
  if (room.length < capacity) room = new Array<number>(capacity);
  const indexes = room;
  const values: unknown[] = [];
  const known = new Map<unknown, number>();
  let [length, runs, index] = [0, 0, -1];
  for (const list of lists) {
    // Not for-of, which puts each number on the heap.
    for (let at = 0; at < list.length; at += 1) {
      const value = list[at];
      if (typeof value !== type) continue;
      if (!Object.is(value, values[index])) {
        // A `Map` takes -0 for 0.
        const key = Object.is(value, -0) ? '-0' : value;
        index = known.get(key) ?? values.push(value) - 1;
        known.set(key, index);
        runs += 1;
      }
      indexes[length] = index;
      length += 1;
    }
  }
  indexes.length = length;
  return { values, indexes, runs };
}
