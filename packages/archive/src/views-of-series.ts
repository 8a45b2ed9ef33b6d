// The views of one series.
import { tripColumns } from './columns.js';
import type { SeriesContract } from './format/series-contract.js';
import type { SqlDialect } from './sql-dialects.js';
import type { View } from './views-of-archive.js';

/** The signal from which distances follow. */
const odometerPath = 'odometer.value';

/** The readings of the odometer inside their range; `undefined` for a series without one. */
function odometerOf({ quote, inRange }: SqlDialect, { signals }: SeriesContract): string | undefined {
  const [, rule] = signals.find(([path]) => path === odometerPath) ?? [];
  if (rule?.kind !== 'number' || rule.minimum === null || rule.maximum === null) return undefined;
  return inRange(quote(odometerPath), rule.minimum, rule.maximum);
}

export function tripsView(dialect: SqlDialect, series: SeriesContract, hasFiles: boolean, isOneSchema: boolean): View {
  const { create, quote, from, addMs, msOf, first, last, text } = dialect;
  const columns = tripColumns(series);
  const names = ['brand', 'vehicle', 'month', ...columns.map(({ name }) => quote(name))];
  const odometer = odometerOf(dialect, series);
  // Made from the columns of the files, so that files of every age have them.
  const derived = [
    `concat(vehicle, '-', CAST(${msOf('trip_start')} AS ${text})) AS trip_id`,
    `${addMs('trip_start', 'trip_length_ms')} AS trip_end`,
    ...(odometer === undefined
      ? []
      : [
          `${first(odometer)} AS odometer_first_km`,
          `${last(odometer)} AS odometer_last_km`,
          // The difference of two readings has digits that neither has.
          `round(${last(odometer)} - ${first(odometer)}, 3) AS distance_km`,
        ]),
  ];
  const sql = `-- One row a trip, one list a signal, as sent. trip_id is the same in every series.
${create(`${series.name}_trips`)}
SELECT ${names.join(', ')},
  ${derived.join(',\n  ')}
${from(series.name, columns, hasFiles, isOneSchema)};`;
  return { name: `${series.name}_trips`, needs: [], sql };
}

export function samplesView(dialect: SqlDialect, { name, signals }: SeriesContract): View {
  const { create, quote, length, contains, at, explode, addMs } = dialect;
  const lengths = signals.map(([path]) => length(quote(path)));
  const isEven = signals.map(
    ([path]) => `(COALESCE(${length(quote(path))}, -1) <> n OR ${contains('assumed_even', path)})`,
  );
  const values = signals.map(
    ([path]) => `CASE WHEN ${length(quote(path))} = n THEN ${at(quote(path), 'i')} END AS ${quote(path)}`,
  );
  const sql = `-- One row a sample. Only signals with the same number of samples (n) share a row. t_assumed is an assumption: the
-- API gives no times of samples. It is null where the data do not support even spacing.
${create(`${name}_samples`)}
SELECT brand, vehicle, trip_start, trip_length_ms, n, i,
  CASE WHEN ${isEven.join('\n    AND ')}
    THEN ${addMs('trip_start', 'i * trip_length_ms / n')} END AS t_assumed,
  ${values.join(',\n  ')}
${explode(`${name}_trips`, lengths)};`;
  return { name: `${name}_samples`, needs: [`${name}_trips`], sql };
}

export function summaryView(dialect: SqlDialect, { name, signals }: SeriesContract): View {
  const { create, quote, inRange, minimum, maximum, mean, length, equal } = dialect;
  const columns = signals.flatMap(([path, rule]) => {
    const signal = quote(path);
    if (rule.kind === 'enumeration')
      return rule.values.map(
        (value) =>
          `1.0 * ${length(equal(signal, value))} / nullif(${length(signal)}, 0) AS ${quote(`${path} ${value} (share)`)}`,
      );
    if (rule.minimum === null || rule.maximum === null) return [];
    const valid = inRange(signal, rule.minimum, rule.maximum);
    return Object.entries({ min: minimum(valid), mean: mean(valid), max: maximum(valid) }).map(
      ([label, value]) => `${value} AS ${quote(`${path} ${label} (${rule.unit})`)}`,
    );
  });
  const sql = `-- Samples inside their range. The mean is that of the samples, whatever time lies between them. Shares are of all samples.
${create(`${name}_summary`)}
SELECT brand, vehicle, trip_id, trip_start, trip_end, trip_length_ms, out_of_range, missing,
  ${columns.join(',\n  ')}
FROM ${name}_trips;`;
  return { name: `${name}_summary`, needs: [`${name}_trips`], sql };
}

export function daysView(dialect: SqlDialect, series: SeriesContract, zoneId: string): View {
  const { name } = series;
  const { create, dayIn } = dialect;
  const km = odometerOf(dialect, series) === undefined ? '' : ', round(sum(distance_km), 3) AS distance_km';
  const sql = `-- Calendar days in ${zoneId}, by the start of each trip.
${create(`${name}_days`)}
SELECT brand, vehicle, day, count(*) AS trips, sum(trip_length_ms) AS trip_length_ms${km}
FROM (SELECT *, ${dayIn('trip_start', zoneId.replaceAll("'", "''"))} AS day FROM ${name}_trips) AS dated
GROUP BY brand, vehicle, day;`;
  return { name: `${name}_days`, needs: [`${name}_trips`], sql };
}
