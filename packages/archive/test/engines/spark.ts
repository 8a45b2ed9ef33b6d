// prove:spark: the same questions over one archive, answered by DuckDB and by Spark through the views of each: node test/engines/spark.ts [vehicles].
// Spark comes from PyPI and needs Java 17: python3 -m venv DIR && DIR/bin/pip install pyspark, then SPARK_PYTHON=DIR/bin/python.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { createArchive } from '@vehicle-data/archive';
import { sandboxWindow } from '../sandbox-source.ts';
import { keyText, now } from '../synthetic-source.ts';

/** What someone asks of an archive, in words that both engines take. */
const questions: readonly string[] = [
  'SELECT count(*), count(DISTINCT trip_id), min(trip_start), max(trip_end) FROM trips',
  'SELECT vehicle, count(*), sum(distance_km) FROM trips GROUP BY vehicle ORDER BY vehicle',
  'SELECT in_driving, in_powertrain, count(*) FROM trips GROUP BY in_driving, in_powertrain ORDER BY 1, 2',
  'SELECT count(*), count(t_assumed), min(t_assumed), max(t_assumed) FROM driving_samples',
  'SELECT vehicle, n, count(*), sum(i) FROM powertrain_samples GROUP BY vehicle, n ORDER BY vehicle, n',
  'SELECT day, trips, trip_length_ms, distance_km FROM driving_days ORDER BY vehicle, day LIMIT 60',
  'SELECT * FROM trip_quality ORDER BY vehicle, month',
  'SELECT * FROM signals ORDER BY 1, 2',
  'SELECT * FROM driving_summary ORDER BY vehicle, trip_start LIMIT 50',
  'SELECT * FROM powertrain_summary ORDER BY vehicle, trip_start LIMIT 50',
  'SELECT count(*), min("Vehicle.TraveledDistance"), avg("Vehicle.Chassis.SteeringWheel.RotationSpeed"), max("Vehicle.Acceleration.Longitudinal") FROM vss_driving',
];

const python = process.env['SPARK_PYTHON'];
const version = python && spawnSync(python, ['-c', 'import pyspark; print(pyspark.__version__)'], { encoding: 'utf8' });
if (!python || !version || version.status !== 0) {
  console.log('skipped: SPARK_PYTHON must be a Python that has pyspark');
  process.exit();
}

const vehicles = Array.from({ length: Number(process.argv[2] ?? 3) }, (_, index) => ({
  brand: 'brand_a',
  vin: `SANDB0XA${String(index + 1).padStart(9, '0')}`,
}));
const folder = await mkdtemp(join(tmpdir(), 'spark-'));
try {
  await writeFile(join(folder, 'archive.key'), keyText, { mode: 0o600 });
  {
    await using archive = await createArchive({ folder, source: 'http://127.0.0.1:8788', now: () => now });
    await archive.export({ vehicles, from: '2026-01-01', to: '2026-02-28', readWindow: sandboxWindow });
  }
  const ofDuckdb = await askDuckdb(folder);
  const list = join(folder, 'questions.json');
  await writeFile(list, JSON.stringify(questions));
  const command = [fileURLToPath(new URL('answers.py', import.meta.url)), folder, list];
  const asked = spawnSync(python, command, { encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'inherit'] });
  if (asked.status !== 0) throw new Error('Spark failed');
  const ofSpark = asked.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  let wrong = 0;
  for (const [index, question] of questions.entries()) {
    const difference = differenceOf(ofDuckdb[index], ofSpark[index]);
    if (difference !== undefined) wrong += 1;
    console.log(`${difference === undefined ? 'equal' : `DIFFERENT ${difference}`}: ${question}`);
  }
  console.log(`Spark ${version.stdout.trim()}, ${vehicles.length} vehicles, ${cpus()[0]?.model}`);
  if (wrong > 0) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true });
}

async function askDuckdb(at: string): Promise<readonly unknown[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const views = await readFile(join(at, 'views.duckdb.sql'), 'utf8');
  await connection.run(`SET file_search_path = '${at}'; SET TimeZone = 'UTC'; ${views}`);
  const answers: unknown[] = [];
  for (const question of questions) {
    const reader = await connection.runAndReadAll(question);
    const isDay = reader.columnTypes().map((type) => `${type}` === 'DATE');
    answers.push(reader.getRowsJS().map((row) => row.map((value, index) => plain(value, isDay[index] === true))));
  }
  return answers;
}

/** A value as JSON has it. */
function plain(value: unknown, isDay: boolean): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return isDay ? value.toISOString().slice(0, 10) : value.getTime();
  return value;
}

/** Where two answers differ; `undefined` where they are equal. Sums of floating point numbers depend on their order in the last digits. */
function differenceOf(one: unknown, other: unknown, at = ''): string | undefined {
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return `${at}: ${one.length} and ${other.length}`;
    for (const [index, value] of one.entries()) {
      const difference = differenceOf(value, other[index], `${at}/${index}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (typeof one === 'number' && typeof other === 'number')
    return Math.abs(one - other) <= 1e-9 * Math.max(Math.abs(one), Math.abs(other), 1)
      ? undefined
      : `${at}: ${one} and ${other}`;
  return one === other ? undefined : `${at}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`;
}
