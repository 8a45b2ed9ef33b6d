// Views in the names, units and types of the COVESA Vehicle Signal Specification, made from those of samples.
import { type VssName, type VssValue, vssNamesOf } from '@vehicle-data/client/series';
import type { SeriesContract } from './format/series-contract.js';
import type { SqlDialect } from './sql-dialects.js';
import type { View } from './views-of-archive.js';

/** The types of whole numbers and what SQL has for them. All engines have these two. */
const wholeTypes: Readonly<Record<string, string>> = { int8: 'int', int16: 'int', uint32: 'bigint' };

/** The value of an expression in double precision, as the SDK computes; literals with a point are decimals in every engine. */
const double = (value: number) => `CAST(${value} AS double)`;

const literal = (value: VssValue) => (typeof value === 'string' ? `'${value}'` : String(value));

/** One row a sample, as in the samples view of the series, with the values that `toVss` of the SDK gives. */
export function vssView({ create, quote }: SqlDialect, { name, signals }: SeriesContract): View {
  const names: Readonly<Record<string, VssName | undefined>> = vssNamesOf(name);
  const values = signals.flatMap(([signal, rule]) => {
    const vss = names[signal];
    if (vss === undefined) return [];
    const column = quote(signal);
    const value = rule.kind === 'number' ? measured(vss, column, rule) : mapped(vss, column);
    return `${value} AS ${quote(vss.path)}`;
  });
  const sql = `-- One row a sample, in the names, units and types of VSS. A sample out of range is null.
${create(`vss_${name}`)}
SELECT brand, vehicle, trip_start, trip_length_ms, n, i, t_assumed,
  ${values.join(',\n  ')}
FROM ${name}_samples;`;
  return { name: `vss_${name}`, needs: [`${name}_trips`, `${name}_samples`], sql };
}

type Range = { readonly minimum: number | null; readonly maximum: number | null };

function measured({ factor, datatype }: VssName, column: string, { minimum, maximum }: Range): string {
  const product = factor === null || factor === 1 ? column : `${column} * ${double(factor)}`;
  const whole = wholeTypes[datatype];
  // Not round(), of which engines differ in halves.
  const value = whole === undefined ? product : `CAST(floor(${product} + ${double(0.5)}) AS ${whole})`;
  const bounds = [
    minimum === null ? [] : `${column} >= ${double(minimum)}`,
    maximum === null ? [] : `${column} <= ${double(maximum)}`,
  ].flat();
  return bounds.length === 0 ? value : `CASE WHEN ${bounds.join(' AND ')} THEN ${value} END`;
}

function mapped({ values }: VssName, column: string): string {
  const cases = Object.entries(values ?? {}).flatMap(([text, value]) =>
    value === null ? [] : `WHEN '${text}' THEN ${literal(value)}`,
  );
  return `CASE ${column} ${cases.join(' ')} END`;
}
