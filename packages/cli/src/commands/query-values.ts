// Values of DuckDB as JSON that programs can calculate with: whole numbers and decimals are numbers as long as they stay exact.
import type { DuckDBType, Json } from '@duckdb/node-api';

type DuckDB = typeof import('@duckdb/node-api');

/** A decimal of more digits than this is not the same as a double. */
const exactDigits = 15;

/**
 * Turns texts of integers and decimals into numbers where the number is exactly the text.
 *
 * @param bigint `string` leaves the texts as they are, which gives a column one type whatever its values.
 */
export function valueReader(duckdb: DuckDB, bigint: 'number' | 'string'): (value: Json, type: DuckDBType) => Json {
  const { BIGINT, UBIGINT, HUGEINT, UHUGEINT, DECIMAL, LIST, ARRAY, STRUCT } = duckdb.DuckDBTypeId;
  const integers = new Set([BIGINT, UBIGINT, HUGEINT, UHUGEINT]);
  const read = (value: Json, type: DuckDBType): Json => {
    if (value === null) return null;
    if (typeof value === 'string') {
      if (integers.has(type.typeId)) return Number.isSafeInteger(Number(value)) ? Number(value) : value;
      if (type.typeId === DECIMAL) return value.replace(/\D/g, '').length <= exactDigits ? Number(value) : value;
      return value;
    }
    if ((type.typeId === LIST || type.typeId === ARRAY) && Array.isArray(value) && 'valueType' in type)
      return value.map((each) => read(each, type.valueType));
    if (type.typeId === STRUCT && 'entryNames' in type && typeof value === 'object' && !Array.isArray(value)) {
      const types = new Map(type.entryNames.map((name, index) => [name, type.entryTypes[index]]));
      const entries = Object.entries(value).map(([name, member]) => {
        const memberType = types.get(name);
        return [name, memberType === undefined ? member : read(member, memberType)] as const;
      });
      return Object.fromEntries(entries);
    }
    return value;
  };
  return bigint === 'string' ? (value) => value : read;
}
