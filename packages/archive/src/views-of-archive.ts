// The views of an archive as a whole: trips of all series, signals of the contract, and the windows that were fetched.
import type { SeriesContract } from './format/series-contract.js';
import { fewestForStep, leastMissingKm, mostSamplesOff } from './quality/month-quality.js';
import type { SqlDialect } from './sql-dialects.js';

/** A view, and the statement that makes it. */
export interface View {
  readonly name: string;
  /** Views that it is made from. */
  readonly needs: readonly string[];
  readonly sql: string;
}

/**
 * Each trip once, whatever series it is in. Of several trips with one start those of like order of length belong together. No join:
 * a condition on the vehicle has to reach the files.
 */
export function tripsOfBothView({ create, addMs }: SqlDialect, contracts: readonly SeriesContract[]): View {
  const names = contracts.map(({ name }) => name);
  const sides = names.map((name) => {
    const hasOdometer = contracts.find((one) => one.name === name)?.signals.some(([path]) => path === 'odometer.value');
    const odometer = ['odometer_first_km', 'odometer_last_km', 'distance_km'].map((column) =>
      hasOdometer === true ? column : `CAST(NULL AS DOUBLE) AS ${column}`,
    );
    const flags = names.map((other) => `${other === name ? 1 : 0} AS in_${other}`);
    return `  SELECT brand, vehicle, month, trip_id, trip_start, trip_length_ms, out_of_range, missing,
    ${[...odometer, ...flags].join(', ')},
    row_number() OVER (PARTITION BY brand, vehicle, month, trip_id, trip_start ORDER BY trip_length_ms) AS copy
  FROM ${name}_trips`;
  });
  const sql = `-- One row a trip, whatever series it is in. A trip that has a start is in each series once.
${create('trips')}
SELECT brand, vehicle, month, trip_id, trip_start,
  ${addMs('trip_start', 'max(trip_length_ms)')} AS trip_end, max(trip_length_ms) AS trip_length_ms,
  max(odometer_first_km) AS odometer_first_km, max(odometer_last_km) AS odometer_last_km, max(distance_km) AS distance_km,
  sum(out_of_range) AS out_of_range, sum(missing) AS missing,
  ${names.map((name) => `max(in_${name}) = 1 AS in_${name}`).join(', ')}
FROM (
${sides.join('\n  UNION ALL\n')}
) AS sides
GROUP BY brand, vehicle, month, trip_id, trip_start, copy;`;
  return { name: 'trips', needs: names.map((name) => `${name}_trips`), sql };
}

/** Numbers of what is missing, by vehicle and month: the same as those of `archive.quality()`. */
export function qualityView(dialect: SqlDialect, contracts: readonly SeriesContract[], zoneId: string): View {
  const { create, quote, length, dayIn } = dialect;
  const names = contracts.map(({ name }) => name);
  const sides = contracts.map(({ name, signals }) => {
    const lists = signals.map(([path]) => quote(path));
    const sent = lists.map((list) => `CASE WHEN ${list} IS NULL THEN 0 ELSE 1 END`).join(' + ');
    const samples = `greatest(${lists.map((list) => `COALESCE(${length(list)}, 0)`).join(', ')})`;
    return `  SELECT brand, vehicle, month, '${name}' AS series, trip_start, trip_end, trip_length_ms, out_of_range, missing,
    ${sent} AS sent, ${length('assumed_even')} AS timed, ${samples} AS samples
  FROM ${name}_trips`;
  });
  const sql = `-- What is missing or odd, by vehicle and month. 
${create('trip_quality')}
WITH sides AS (
${sides.join('\n  UNION ALL\n')}
), ordered AS (
  SELECT *, lag(trip_end) OVER (PARTITION BY brand, vehicle, series ORDER BY trip_start, trip_length_ms) AS end_before,
    count(*) OVER (PARTITION BY brand, vehicle, series) AS of_series,
    -- What trips with assumed times send a millisecond.
    avg(CASE WHEN sent > 0 AND timed = sent THEN 1.0 * samples / nullif(trip_length_ms, 0) END)
      OVER (PARTITION BY brand, vehicle, series) AS usual_rate
  FROM sides
), of_sides AS (
  SELECT brand, vehicle, month, sum(out_of_range) AS out_of_range, sum(missing) AS missing,
    sum(CASE WHEN trip_start < end_before THEN 1 ELSE 0 END) AS overlapping,
    sum(CASE WHEN timed = sent OR trip_start IS NULL THEN 0 WHEN timed > 0 THEN 1
      WHEN usual_rate IS NULL THEN CASE WHEN of_series >= ${fewestForStep} THEN 1 ELSE 0 END
      WHEN abs(samples - trip_length_ms * usual_rate) <= ${mostSamplesOff} THEN 0 ELSE 1 END) AS untimed,
    COALESCE(sum(1.0 * trip_length_ms * (sent - timed) / nullif(sent, 0))
      / nullif(sum(CASE WHEN sent > 0 THEN trip_length_ms END), 0), 0) AS unknown_share,
    min(1000.0 * samples / nullif(trip_length_ms, 0)) AS samples_per_second_lowest,
    max(1000.0 * samples / nullif(trip_length_ms, 0)) AS samples_per_second_highest
  FROM ordered GROUP BY brand, vehicle, month
), driven AS (
  SELECT *, ${dayIn('trip_start', zoneId.replaceAll("'", "''"))} AS day FROM trips
), readings AS (
  SELECT brand, vehicle, month, round(odometer_first_km
    - lag(odometer_last_km) OVER (PARTITION BY brand, vehicle ORDER BY trip_start, trip_length_ms), 3) AS missing_km
  FROM driven WHERE odometer_first_km IS NOT NULL
), gaps AS (
  SELECT brand, vehicle, month, round(sum(missing_km), 3) AS missing_km, count(*) AS gaps
  FROM readings WHERE missing_km >= ${leastMissingKm} GROUP BY brand, vehicle, month
), of_trips AS (
  SELECT brand, vehicle, month, count(*) AS trips, count(DISTINCT day) AS days_with_trips, round(sum(distance_km), 3) AS driven_km,
    sum(CASE WHEN ${names.map((name) => `in_${name}`).join(' AND ')} THEN 0 ELSE 1 END) AS one_sided
  FROM driven GROUP BY brand, vehicle, month
)
SELECT of_trips.*, COALESCE(gaps.missing_km, 0) AS missing_km, COALESCE(gaps.gaps, 0) AS gaps, overlapping, untimed,
  unknown_share, out_of_range, missing, samples_per_second_lowest, samples_per_second_highest
FROM of_trips JOIN of_sides USING (brand, vehicle, month) LEFT JOIN gaps USING (brand, vehicle, month);`;
  return { name: 'trip_quality', needs: ['trips', ...names.map((name) => `${name}_trips`)], sql };
}

/** What the contract says of each signal. */
export function signalsView({ create }: SqlDialect, contracts: readonly SeriesContract[]): View {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const number = (value: number | null) => (value === null ? 'CAST(NULL AS DOUBLE)' : `CAST(${value} AS DOUBLE)`);
  const rows = contracts.flatMap(({ name, signals }) =>
    signals.map(([path, rule]) => {
      const facts =
        rule.kind === 'number'
          ? [quoted(rule.unit), number(rule.minimum), number(rule.maximum), 'NULL']
          : ['NULL', number(null), number(null), quoted(rule.values.join(', '))];
      return `  (${[quoted(name), quoted(path), ...facts].join(', ')})`;
    }),
  );
  const sql = `-- Unit and range, or the possible values, of each signal.
${create('signals')}
SELECT series, signal, unit, minimum, maximum, possible
FROM (VALUES
${rows.join(',\n')}
) AS signals_of_contract (series, signal, unit, minimum, maximum, possible);`;
  return { name: 'signals', needs: [], sql };
}

/** The manifests of all vehicles, for DuckDB: of lines that share a day, the last one counts. */
export const windowsView: View = {
  name: 'windows',
  needs: [],
  sql: `-- One row a window that was fetched, or a settled month of them. first_seen is when its trips were fetched first.
CREATE OR REPLACE VIEW windows AS
WITH files AS (
  SELECT regexp_extract(filename, 'brand=([^/\\\\]+)', 1) AS brand, regexp_extract(filename, 'vehicle=([0-9a-f]+)', 1) AS vehicle,
    string_split(content, chr(10))[:-2] AS texts
  FROM read_text('brand=*/vehicle=*/_manifest.ndjson')
), lines AS (
  SELECT brand, vehicle, unnest(texts) AS line, unnest(range(len(texts))) AS number FROM files
), entries AS (
  SELECT brand, vehicle, number, line ->> 'series' AS series, line ->> 'from' AS first_day, line ->> 'to' AS last_day,
    CAST(line ->> 'trips' AS BIGINT) AS trips, CAST(line ->> 'bytes' AS BIGINT) AS bytes,
    CAST(line ->> 'settled' AS BOOLEAN) AS settled, CAST(line ->> 'fetchedAt' AS TIMESTAMPTZ) AS fetched_at,
    CAST(line ->> 'firstSeenAt' AS TIMESTAMPTZ) AS first_seen, line ->> 'contract' AS contract, line ->> 'path' AS file
  FROM lines WHERE json_valid(line)
)
SELECT brand, vehicle, series, CAST(first_day AS DATE) AS first_day, CAST(last_day AS DATE) AS last_day, trips, bytes, settled,
  fetched_at, first_seen, contract, file
FROM entries AS entry
WHERE NOT EXISTS (
  SELECT 1 FROM entries AS later
  WHERE later.brand = entry.brand AND later.vehicle = entry.vehicle AND later.series = entry.series
    AND substr(later.first_day, 1, 7) = substr(entry.first_day, 1, 7) AND later.number > entry.number
    AND later.first_day <= entry.last_day AND later.last_day >= entry.first_day
);`,
};
