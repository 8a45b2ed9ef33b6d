import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { askArchive } from '../src/commands/query.ts';
import { startProgress } from '../src/output/progress.ts';
import { run } from '../src/run.ts';
import { firstVin, printedBy, program, startWorld, streamsOf, upstreamWith } from './support/vds.ts';

const world = await startWorld();
const out = join(world.folder, 'archive');
const march = '--from 2026-03-01 --to 2026-03-31';
const month = `${march} --zone Europe/Berlin --series driving,powertrain`;
/** A window of one series, two days of it: most tests need no more. */
const oneWindow = '--from 2026-03-01 --to 2026-03-02 --exact-days --series driving';
const exporting = `export --vehicle ${firstVin} ${month} --out ${out}`;

const filesOf = async (folder: string) =>
  (await readdir(folder, { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.parquet')).toSorted();
const held = async () => (await world.vds(`archive --out ${out}`)).json;

it('a dry run of an export fetches nothing and writes nothing', async () => {
  const dry = await world.vds(`${exporting} --dry-run`);
  expect(dry).toMatchObject({ code: 0, json: [{ windows: 8, requests: 8, settled: 0 }] });
  await expect(readdir(out)).rejects.toThrow();
  await mkdir(join(world.folder, 'mine'));
  const mine = join(world.folder, 'mine', '.draft.tmp');
  await writeFile(mine, '');
  const inPlace = `export --vehicle ${firstVin} ${oneWindow} --out ${world.folder}/mine`;
  expect((await world.vds(`${inPlace} --dry-run`)).code).toBe(0);
  expect(await readdir(join(world.folder, 'mine'))).toEqual(['.draft.tmp']);
  expect((await world.vds(inPlace)).code).toBe(0);
  expect(await readFile(mine, 'utf8')).toBe('');
  expect((await world.vds(`${inPlace} --dry-run`)).json).toMatchObject([{ windows: 1, requests: 0 }]);
  await rm(join(world.folder, 'mine', 'archive.json'));
  expect((await world.vds(`${inPlace} --dry-run`)).error.code).toBe('archive-missing');
});

it('a dry run is asked for on the command line: a variable that is left in a profile stops no export', async () => {
  const folder = join(world.folder, 'profile');
  const line = `export --vehicle ${firstVin} ${oneWindow} --out ${folder}`;
  expect((await world.vds(line, { env: { VDS_DRY_RUN: '1' } })).json).toMatchObject([{ windowsFetched: 1 }]);
});

it('an export of one day can be exact', async () => {
  const folder = join(world.folder, 'exact');
  const line = `export --vehicle ${firstVin} --from 2026-03-03 --to 2026-03-03 --out ${folder} --exact-days`;
  expect((await world.vds(line)).json).toMatchObject([{ windowsFetched: 2 }]);
  const asked = await world.vds(`query --out ${folder} "SELECT DISTINCT trip_start::DATE::VARCHAR AS day FROM trips"`);
  expect(asked.json).toEqual([{ day: '2026-03-03' }]);
  expect((await world.vds(line)).json).toMatchObject([{ windowsFetched: 0, windowsSkipped: 2 }]);
  expect((await world.vds(`archive --out ${folder}`)).json).toMatchObject([
    { from: '2026-03-03', to: '2026-03-03' },
    {},
  ]);
});

it('the report of a fleet names the vehicles that are not complete, and counts the others', async () => {
  const folder = join(world.folder, 'fleet');
  const vins = Array.from({ length: 101 }, (_, index) => `FLEETXX${String(index).padStart(10, '0')}`);
  const { url } = await upstreamWith(
    { vehicles: vins.map((vin) => ({ vin })), trips: [] },
    ({ url = '' }, response) => {
      if (url.includes(vins[7] ?? '')) response.statusCode = 503;
    },
  );
  const env = { VDS_BASE_URL: url };
  const line = `export ${oneWindow} --concurrency 8 --out ${folder}`;
  const { code, json } = await world.vds(line, { env });
  expect(code).toBe(2);
  expect(json[0]).toMatchObject({ vehiclesTotal: 101, vehiclesComplete: 100, vehicles: [{ outcome: 'failed' }] });
});

it('a sync says which days between two exports it fetches as well, and how to leave them out', async () => {
  const { url } = await upstreamWith({ vehicles: [{ vin: firstVin }], trips: [] });
  const env = { VDS_BASE_URL: url };
  const vds = async (line: string) => world.vds(`${line} --out ${world.folder}/gaps`, { env });
  const exported = async (from: string) =>
    await vds(`export --vehicle ${firstVin} --series driving --from ${from} --to ${from}`);
  await exported('70d');
  await exported('today');
  const [{ gaps, to }] = (await vds('archive')).json;
  expect(gaps).toHaveLength(1);
  const { code, stderr } = await vds('sync --since 1d');
  expect([code, stderr]).toEqual([0, '']);
  const synced = await vds('sync');
  const [, from, until, since] =
    /does not have .* from (\S+) to (\S+)\. --since (\S+) leaves/.exec(synced.stderr) ?? [];
  expect({ from, to: until }).toEqual(gaps[0]);
  expect(since && since > gaps[0].to && since <= to).toBe(true);
  expect(await vds('sync')).toMatchObject({ code: 0, stderr: '' });
  expect((await vds('archive')).json).toMatchObject([{ gaps: [] }]);
});

it('a list of an archive ends at the limit that is given, and reads no further', async () => {
  const folder = join(world.folder, 'long-list');
  const line = `export --vehicle ${firstVin},SANDB0XA000000002 --from 2026-03-01 --to 2026-03-01 --exact-days --out ${folder}`;
  await world.vds(line);
  const [first, second] = (await readdir(join(folder, 'brand=brand_a'))).map((name) => name.slice('vehicle='.length));
  // What is not printed is not read.
  await writeFile(join(folder, `brand=brand_a/vehicle=${second}/_manifest.ndjson`), 'x\n'.repeat(3));
  const short = await world.vds(`archive --out ${folder} --max-rows 1`);
  expect(short.json).toMatchObject([{ vehicle: first, series: 'driving' }]);
  expect(short.stderr).toContain('Only the first 1 rows');
  const one = await world.vds(`archive --out ${folder} --vehicle ${first}`);
  expect([one.json.length, one.stderr]).toEqual([2, '']);
});

it('an export writes Parquet without a VIN in its paths, and the same command again fetches nothing', async () => {
  const fetched = [{ windowsTotal: 8, windowsFetched: 8 }];
  expect(await world.vds(exporting)).toMatchObject({ code: 0, stderr: '', json: fetched });
  expect((await world.vds(exporting)).json).toMatchObject([{ windowsFetched: 0, windowsSkipped: 8 }]);
  expect((await readdir(out, { recursive: true })).join()).not.toContain(firstVin);
});

it('an export of CSV in the names of VSS has them in its header, and Parquet says that it has views', async () => {
  const folder = join(world.folder, 'vss');
  const line = `export --vehicle ${firstVin} ${oneWindow} --out ${folder} --names vss`;
  const { code, error } = await world.vds(line);
  expect([code, error.code, error.message]).toEqual([4, 'invalid-argument', expect.stringContaining('vss_driving')]);
  expect((await world.vds(`${line} --format csv`)).code).toBe(0);
  const [file = ''] = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.csv'));
  const [header] = (await readFile(join(folder, file), 'utf8')).split('\n');
  expect(header).toContain(',Vehicle.TraveledDistance (m),Vehicle.Acceleration.Longitudinal (m/s^2),');
});

it('quality says by month what is missing, as one document, a table with a mark for each day, and CSV', async () => {
  const line = `quality --out ${out}`;
  const clean = await world.vds(`${line} --check`);
  expect(clean).toMatchObject({ code: 0, json: [{ version: 1, zoneId: 'Europe/Berlin', alarms: [] }] });
  const shown = await world.screen(line);
  expect(shown.stdout).toMatch(/2026-03 {2}[·░▒█]{31}/);
  expect(shown.stdout).toContain('No alarms.');
  const { stdout } = await world.vds(`${line} --csv --vehicle ${firstVin} --since 2026-03-05`);
  expect(stdout).toMatch(
    /^brand,vehicle,alias,month,days,trips,km,.*\nbrand_a,[0-9a-f]{32},,2026-03,\d+,\d+,[\d.]+,0\.0,/,
  );
  const env = { VDS_CONFIG_DIR: join(world.folder, 'named') };
  await world.vds('alias set homestead', { input: firstVin, env });
  expect((await world.vds(line, { env })).json).toMatchObject([{ vehicles: [{ alias: 'homestead' }] }]);
  const named = await world.screen(line, { more: env });
  expect(named.stdout).toMatch(/homestead \(brand_a, [0-9a-f]{32}\)/);
  expect((await world.vds(`${line} --since 2026-04-01`)).json).toMatchObject([{ vehicles: [{ months: [] }] }]);

  // A file that is gone is trips that are missing.
  const gone = join(world.folder, 'quality');
  await cp(out, gone, { recursive: true });
  const path = (await filesOf(gone)).find((name) => name.includes('driving') && name.includes('_2026-03-16')) ?? '';
  await rm(join(gone, path));
  const alarm = await world.vds(`quality --out ${gone} --check`);
  expect(alarm).toMatchObject({ code: 3, error: { code: 'quality' } });
  const picture = (await world.vds(`quality --out ${gone} --svg`)).stdout;
  expect(picture).toMatch(/^<svg .*<\/svg>\n$/);
  expect(picture.match(/class="d[0-3]"/g)).toHaveLength(31);
  expect(picture).toMatch(/2026-03-1\d: \d trips, [^<]*in one series alone/);
  expect(picture.match(/class="odd"/g)?.length).toBeLessThan(9);
  const kinds = alarm.json.flatMap(({ alarms }) => (alarms as { kind: string }[]).map(({ kind }) => kind));
  expect(kinds).toEqual(['missing-km', 'one-sided']);
});

it('Ctrl-C leaves an archive that the same command completes', async () => {
  const folder = join(world.folder, 'interrupted');
  const line = `export --vehicle ${firstVin} --from 2025-01-01 --to 2025-02-28 --series driving --out ${folder} --concurrency 1`;
  // The owner of the first does not share it. At this rate the second takes seconds, so that it is still under way.
  const child = world.start(`${line.replace(firstVin, `SANDB0XA000000005,${firstVin}`)} --max-rate 2`);
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  // Interrupted once the first file is there.
  await vi.waitFor(async () => expect(await filesOf(folder)).not.toEqual([]), { timeout: 120_000, interval: 25 });
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([130, null]);
  const printed = printedBy(130, ...(await output));
  expect(printed.error.hint).toBe('Run the same command again to continue.');
  expect(outcomesOf(printed)[0]).toBe('withheld');
  expect((await world.vds(line)).code).toBe(0);
  expect((await world.vds(`verify --out ${folder}`)).code).toBe(0);
});

it('a terminal gets a progress bar on stderr and a sentence at the end', async () => {
  const line = `export --vehicle ${firstVin} ${oneWindow} --format ndjson --out ${world.folder}/bar`;
  const { code, stdout } = await world.screen(line);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\d+\/1 windows \|/);
  expect(stdout).toMatch(/\d+ trips in 1 windows? written to/);
  // A second Ctrl-C ends the program at once: neither cursor nor line wrap may need a step that restores them.
  for (const off of ['\u001b[?25l', '\u001b[?7l']) expect(stdout).not.toContain(off);
  await writeFile(join(world.folder, 'bar', 'archive.lock'), 'elsewhere\n1\n');
  const locked = await world.screen(line);
  expect([locked.code, locked.stdout]).toEqual([1, expect.stringContaining('vds archive unlock')]);
});

it('without a terminal, progress is one line every ten seconds on stderr, and nothing on stdout', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const streams = streamsOf();
  const [loud, quiet] = [false, true].map((isQuiet) => startProgress(streams, isQuiet));
  for (let second = 1; second <= 35; second += 1) {
    vi.advanceTimersByTime(1000);
    const progress = { windowsDone: second, windowsTotal: 48, trips: 0, bytes: second * 1e6 };
    loud?.update(progress);
    quiet?.update(progress);
  }
  const lines = [10, 20, 30].map((done) => `${done} of 48 windows, ${done}.0 MB\n`);
  const printed = [streams.stdout, streams.stderr].map(async (stream) => (await stream.end().toArray()).join(''));
  expect(await Promise.all(printed)).toEqual(['', lines.join('')]);
});

it.each([
  { option: 'zone', error: 'settings-differ', line: `export --vehicle ${firstVin} ${march} --zone UTC` },
  {
    option: 'profile',
    error: 'settings-differ',
    line: `export --vehicle ${firstVin} ${march} --zone Europe/Berlin --profile ben`,
  },
  { option: 'profile', error: 'usage', line: 'sync --profile ben' },
])(
  'another setting for the same folder is rejected with the difference: --$option ($error)',
  async ({ option, error, line }) => {
    const difference = { code: error, hint: expect.stringContaining(`--${option}`) };
    expect(await world.vds(`${line} --out ${out}`)).toMatchObject({ code: 4, error: difference });
  },
);

it('a contract that changed stops export and sync until it is accepted', async () => {
  const folder = join(world.folder, 'contract');
  const line = `export --vehicle ${firstVin} ${oneWindow} --out ${folder}`;
  await world.vds(line);
  const settings = join(folder, 'archive.json');
  await writeFile(settings, (await readFile(settings, 'utf8')).replace(/("contract": ")\w+/, '$1older'));
  const sync = `sync --since yesterday --out ${folder}`;
  const hint = expect.stringContaining('vds export --accept-contract');
  for (const each of [line, `${line} --dry-run`, sync])
    expect(await world.vds(each)).toMatchObject({ code: 4, error: { hint } });
  for (const each of [`${line} --dry-run --accept-contract`, `${line} --accept-contract`, line, sync])
    expect((await world.vds(each)).code, each).toBe(0);
});

const outcomesOf = ({ json }: ReturnType<typeof printedBy>): readonly string[] =>
  json[0].vehicles.map(({ outcome }: { outcome: string }) => outcome);

it('a vehicle that is not shared stops alone, and its files go only when that is no mistake: exit code 2', async () => {
  const folder = join(world.folder, 'partial');
  const exported = async (vehicles: string, more = oneWindow, env = {}) => {
    const printed = await world.vds(`export --vehicle ${vehicles} ${more} --out ${folder}`, { env });
    expect(printed.code).toBe(2);
    return { outcomes: outcomesOf(printed), hint: printed.error.hint, files: (await filesOf(folder)).length };
  };
  const [unlisted, never, leaving] = ['SANDB0XADIRTY0005', 'SANDB0XA000000005', 'SANDB0XA000000006'];
  // The list of vehicles does not have the first, but the service serves it.
  expect(await exported(`${unlisted},${never}`)).toMatchObject({ outcomes: ['complete', 'withheld'], files: 1 });
  await world.vds(`export --vehicle ${firstVin},${leaving} ${oneWindow} --out ${folder}`);
  const otherBrand = { VDS_BRAND: 'brand_b' };
  expect(await exported(firstVin, oneWindow, otherBrand)).toMatchObject({ outcomes: ['withheld'], files: 3 });
  await world.vds(`consent stop ${leaving} --confirm ${leaving}`);
  const february = '--from 2026-02-01 --to 2026-02-08 --series driving';
  // Two of three are not in the list.
  const { hint, ...stopped } = await exported(leaving, february);
  expect(stopped).toEqual({ outcomes: ['withheld'], files: 3 });
  expect(hint).toContain('vds sync --confirm-purge 2');
  await world.vds(`export --vehicle SANDB0XA000000002 ${oneWindow} --out ${folder}`);
  await world.vds(`export --vehicle SANDB0XA000000003 ${oneWindow} --out ${folder}`);
  expect(await exported(leaving, february)).toMatchObject({ outcomes: ['purged'], files: 4 });
});

it('an export prints its report also if the list of vehicles fails then', async () => {
  await world.addFault({ kind: 'error', code: '403', operationId: 'listVehicles' });
  const line = `export --vehicle SANDB0XA000000005,${firstVin} ${oneWindow} --out ${world.folder}/unlisted`;
  const printed = await world.vds(line);
  expect(printed).toMatchObject({ code: 1, error: { code: '403' } });
  expect(outcomesOf(printed)).toEqual(['withheld', 'complete']);
});

it.each([
  { story: 'null', entry: null, code: 'malformed-response' },
  { story: 'an object without a VIN', entry: {}, code: 'malformed-list' },
])(
  'a list of vehicles with a broken entry is an error, and exports and purges nothing: $story',
  async ({ entry, code }) => {
    const { url } = await upstreamWith({ vehicles: [{ vin: firstVin }, entry] });
    const out = join(world.folder, 'odd-list');
    const printed = await world.vds(`export --vehicle all ${march} --out ${out}`, { env: { VDS_BASE_URL: url } });
    expect(printed).toMatchObject({ code: 1, error: { code } });
  },
);

it('a vehicle that always fails does not stop the others, and the hint names the cause', async () => {
  const folder = join(world.folder, 'failing');
  const line = `${oneWindow} --out ${folder}`;
  const broken = await world.vds(`export --vehicle SANDB0XAERR005001,${firstVin} ${line}`);
  expect([broken.code, outcomesOf(broken)]).toEqual([2, ['failed', 'complete']]);
  const env = { VDS_ACCESS_TOKEN: 'expired' };
  const rejected = await world.vds(`export --vehicle SANDB0XA000000002 ${line}`, { env });
  expect(rejected).toMatchObject({ code: 1, error: { hint: expect.stringContaining('vds auth login') } });
});

it('an archive is queried in SQL, by a SELECT and nothing else', async () => {
  const sql = 'SELECT count(*) AS trips, max(trip_length_ms) AS longest FROM driving_trips';
  const asked = await world.vds(`query --out ${out} "${sql}"`);
  expect(asked).toMatchObject({ code: 0, stderr: '' });
  expect(asked.json[0].trips).toBeGreaterThan(10);
  const target = join(out, 'stolen.csv');
  const inside = 'brand=brand_a/stolen.csv';
  for (const hostile of [
    `COPY (SELECT 1) TO '${target}'`,
    'SELECT 1; SELECT 2',
    "SELECT * FROM read_csv('/etc/passwd')",
    ...['', '/brand=brand_a/..', '/brand=*/..'].map(
      (way) => `SELECT content FROM read_text('${out}${way}/archive.key')`,
    ),
    'CREATE TABLE t AS SELECT 1',
    `FROM Enable_Logging(storage => 'file', storage_path => '${out}/${inside}')`,
    'PRAGMA version',
    `FROM query('FROM enable_logging(storage => ''file'', storage_path => ''${out}/${inside}'')')`,
    'SET enable_external_access = true',
    "ATTACH ':memory:' AS other",
  ])
    expect((await world.vds(`query --out ${out} "${hostile}"`)).code, hostile).toBe(4);
  // A folder of someone else may hold other statements in the place of its views, and marks of patterns in its path. An export that
  // was killed, or that still runs, has written no views.
  const foreign = join(world.folder, 'a$$b[c]?*');
  await cp(out, foreign, { recursive: true });
  const copies = [target, inside].map((path) => `COPY (SELECT 1) TO '${path}';\n`).join('');
  await writeFile(join(foreign, 'views.duckdb.sql'), copies);
  expect(await world.vds(`query --out ${foreign} "${sql}"`)).toEqual(asked);
  await expect(readFile(target)).rejects.toThrow();
  expect(await readdir(join(foreign, 'brand=brand_a'))).not.toContain('stolen.csv');
  await rm(join(foreign, 'brand=brand_a'), { recursive: true });
  await mkdir(join(foreign, 'brand=brand_a'));
  for (const view of ['driving_trips', 'driving_samples', 'powertrain_summary']) {
    const count = `SELECT count(*)::INTEGER AS n, max(brand) AS brand FROM ${view}`;
    expect((await world.vds(`query --out ${foreign} "${count}"`)).json).toEqual([{ n: 0, brand: null }]);
  }
  // Through links to folders, one would walk for minutes.
  for (const name of ['a', 'b', 'brand=brand_a/c']) await symlink('.', join(foreign, name));
  expect(await world.vds(`query --out ${foreign} "${sql}"`)).toMatchObject({ code: 0, json: [{ trips: 0 }] });
  await symlink('.', join(foreign, 'brand=x'));
  const key = `SELECT content FROM read_text('${foreign}/archive.key')`;
  expect((await world.vds(`query --out ${foreign} "${key}"`)).code).toBe(4);
});

it('a query returns whole numbers and decimals as numbers where they stay exact, or as texts', async () => {
  const sql =
    'SELECT 86::BIGINT AS n, sum(1606273000) AS total, 9007199254740993 AS large, 1.25 AS price, [1::BIGINT] AS list';
  const asked = async (option: string) => (await world.vds(`query --out ${out} ${option} "${sql}"`)).json[0];
  expect(await asked('')).toEqual({ n: 86, total: 1606273000, large: '9007199254740993', price: 1.25, list: [1] });
  expect(await asked('--bigint string')).toMatchObject({ n: '86', total: '1606273000', price: '1.25', list: ['1'] });
});

it('a query counts days in the zone of the archive and prints times in UTC, whatever the zone of the machine', async () => {
  const sql = "SELECT TIMESTAMPTZ '2026-03-01 23:30:00Z' AS time, dayname(time) AS day";
  const env = { ...world.env, TZ: 'America/New_York' };
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'query', '--out', out, sql], { env });
  expect(JSON.parse(stdout)).toEqual({ time: '2026-03-01 23:30:00+00', day: 'Monday' });
});

it('a query that has more rows than are printed says so', async () => {
  const query = 'query --max-rows 2 "SELECT * FROM range';
  const said = expect.stringContaining('--max-rows');
  expect(await world.vds(`${query}(3)" --out ${out}`)).toMatchObject({ code: 0, json: [{}, {}], stderr: said });
  expect((await world.vds(`${query}(2)" --out ${out}`)).stderr).toBe('');
});

it('a file in the place of the folder is named as such', async () => {
  const file = join(world.folder, 'vds');
  const line = `export --vehicle ${firstVin} ${march} --out ${file}`;
  const error = { hint: expect.stringContaining('is a file') };
  for (const each of [line, `${line} --dry-run`, `${line}/archive --dry-run`, `verify --out ${file}`])
    expect(await world.vds(each)).toMatchObject({ code: 1, error });
});

const endless = 'SELECT count(*) FROM range(1000000) a, range(1000000) b';

it('a query ends at its deadline', async () => {
  const late = await world.vds(`query --out ${out} --query-timeout-ms 50 "${endless}"`);
  expect(late).toMatchObject({ code: 1, error: { code: 'query-timeout' } });
});

it('a query that is to end before it has begun does not begin', async () => {
  const limits = { maxRows: 1, timeoutMs: 600_000 };
  await expect(askArchive(out, endless, limits, AbortSignal.abort())).rejects.toThrow('Interrupted');
});

it('a query that needs too much memory fails, and writes no temporary file', async () => {
  const ask = (sql: string) =>
    askArchive(out, sql, { maxRows: 1, timeoutMs: 600_000, memoryLimit: '64MB' }, new AbortController().signal);
  const sorted = "SELECT repeat('x', 100) || i AS text FROM range(3000000) t(i) ORDER BY hash(i)";
  for (const large of [sorted, "SELECT repeat('x', 200000000)"])
    await expect(ask(large)).rejects.toMatchObject({ code: 'usage', hint: expect.stringContaining('fewer') });
  expect(await readdir('.')).not.toContain('.tmp');
  expect((await ask('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

it('verify finds a file that was changed: exit code 3', async () => {
  expect((await world.vds(`verify --out ${out}`)).code).toBe(0);
  const file = join(out, (await filesOf(out))[0] ?? '');
  const content = await readFile(file);
  await truncate(file, content.length - 1);
  const problems = [{ code: 'wrong-hash' }];
  expect(await world.vds(`verify --out ${out}`)).toMatchObject({ code: 3, json: [{ problems }] });
  await writeFile(file, content);
});

// Modes of files do not hold for root unless it gives that up.
const dropRight = process.getuid?.() === 0 ? 'setpriv --bounding-set -dac_override' : '';
const canDropRight = spawnSync('sh', ['-c', `${dropRight} true`]).status === 0;
if (!canDropRight) console.warn('skipped: setpriv cannot take the right to write anywhere from root here');

it.skipIf(!canDropRight)(
  'verify waits for no other process, and a copy that cannot be written needs no lock',
  async () => {
    const folder = join(world.folder, 'copy');
    await world.vds(`export --vehicle ${firstVin} --from 3d --exact-days --series driving --out ${folder}`);
    const verifyCopy = () =>
      world.session(
        `chmod -R a-w ${folder}; ${dropRight} vds verify --out ${folder}; code=$?; chmod -R u+w ${folder}; exit $code`,
      );
    expect((await verifyCopy()).code).toBe(0);
    await writeFile(join(folder, 'archive.lock'), 'elsewhere\n1\n');
    expect((await verifyCopy()).code).toBe(0);
    expect(await world.vds(`verify --out ${folder}`)).toMatchObject({ code: 1, error: { code: 'archive-locked' } });
  },
);

it('sync fetches what is missing or may have changed since the first day of the archive, however long ago', async () => {
  const folder = join(world.folder, 'paused');
  const one = `--vehicle ${firstVin} --series driving --format ndjson --out ${folder}`;
  for (const days of ['--from 70d --to 50d', '--from 3d']) await world.vds(`export ${one} ${days}`);
  const plan = async () => (await world.vds(`export ${one} --from 70d --to today --dry-run`)).json[0];
  const { requests, settled } = await plan();
  expect([requests, settled].every((windows) => windows > 2)).toBe(true);
  const [synced] = (await world.vds(`sync --out ${folder}`)).json;
  expect(synced).toMatchObject({ windowsFetched: requests, windowsSkipped: settled });
  expect((await plan()).settled).toBeGreaterThan(settled);
});

it('sync keeps to the vehicles of the archive, and adds others when they are named', async () => {
  const folder = join(world.folder, 'synced');
  await world.vds(
    `export --vehicle ${firstVin} --from 3d --exact-days --series driving --format ndjson --out ${folder}`,
  );
  const synced = async (more: string) => {
    const printed = await world.vds(`sync --since yesterday --out ${folder} ${more}`);
    return printed.code === 0 ? outcomesOf(printed).length : printed.error.hint;
  };
  expect((await world.vds(`sync --since yesterday --out ${folder}`)).stderr).toMatch(
    /not in the archive: \d+. --vehicle all adds them/,
  );
  expect(await synced('')).toBe(1);
  expect(await synced('--brand brand_b')).toContain('--vehicle all');
  const all = await synced('--vehicle all');
  expect(all).toBeGreaterThan(1);
  expect(await synced('')).toBe(all);
  await world.vds('consent stop-all --brand brand_b --confirm brand_b');
  for (const more of ['', '--vehicle all']) expect(await synced(`--brand brand_b ${more}`)).toBe(0);
});

it('sync purges a vehicle that no longer shares data, and never most of them by mistake', async () => {
  const [{ vehicle }] = await held();
  expect((await world.vds(`consent stop ${firstVin} --confirm ${firstVin}`)).code).toBe(0);
  expect(await world.vds(`sync --out ${out}`)).toMatchObject({ code: 2, error: { code: 'purge-not-confirmed' } });
  const before = await filesOf(out);
  expect(before).not.toEqual([]);
  for (const wrong of ['--concurrency 99', '--vehicle typo', '--since nonsense', '--since 2999-01-01'])
    expect((await world.vds(`sync --out ${out} --confirm-purge 1 ${wrong}`)).code).toBe(4);
  expect(await filesOf(out)).toEqual(before);
  // What was purged is printed also if the rest fails.
  for (const more of ['--since yesterday --vehicle all', '--vehicle all']) {
    const folder = join(world.folder, `failing${more.length}`);
    await cp(out, folder, { recursive: true });
    const settings = join(folder, 'archive.json');
    await writeFile(settings, (await readFile(settings, 'utf8')).replace(/("contract": ")\w+/, '$1older'));
    const failed = await world.vds(`sync --out ${folder} --confirm-purge 1 --quiet ${more}`);
    expect([failed.code, failed.json]).toEqual([4, [{ purged: [vehicle] }]]);
  }
  const synced = await world.vds(`sync --out ${out} --confirm-purge 1 --quiet`);
  expect(synced).toMatchObject({ code: 0, json: [{ vehicles: [], purged: [vehicle] }] });
  const paths = await readdir(out, { recursive: true, withFileTypes: true });
  for (const path of paths) {
    // Its receipt is what is left of it.
    if (path.name === 'receipts' || path.parentPath === join(out, 'receipts')) continue;
    expect(path.name).not.toContain(vehicle);
    if (path.isFile()) expect(await readFile(join(path.parentPath, path.name), 'latin1')).not.toContain(vehicle);
  }
});

it('receipts say what was purged, are verified offline, and one that was changed is found', async () => {
  const folder = join(world.folder, 'receipts');
  const name = 'SANDB0XA000000003';
  await world.vds(`export --vehicle ${name} --from 3d --exact-days --series driving --out ${folder}`);
  const [purged] = (await world.vds(`purge ${name} --confirm ${name} --out ${folder}`)).json;
  expect(purged).toMatchObject({ receipts: [expect.stringMatching(/^receipts\/brand_a-[0-9a-f]{32}-1\.json$/)] });
  const listed = await world.vds(`receipts list --vehicle ${name} --out ${folder}`);
  expect(listed.json).toMatchObject([{ signal: 'request', files: purged.files, verified: 'yes' }]);
  expect((await world.vds(`receipts list --vehicle ${firstVin} --out ${folder}`)).stdout).toBe('');
  const [{ receipt }] = listed.json;
  const shown = await world.vds(`receipts show ${receipt} --out ${folder}`);
  const path = join(folder, 'receipts', `${receipt}.json`);
  expect(shown.stdout).toBe(await readFile(path, 'utf8'));
  const page = await world.vds(`receipts show ${receipt} --html --out ${folder}`);
  expect(page.stdout).toContain('A person asked for deletion');
  // Of somebody who has the receipt and the public key, and nothing else.
  const copy = join(world.folder, 'receipt.json');
  await writeFile(copy, shown.stdout);
  const verified = await world.vds(`receipts verify ${copy} --public-key ${folder}/receipts`);
  expect(verified).toMatchObject({ code: 0, json: [{ receipts: 1, bad: [] }] });
  expect((await world.vds(`receipts verify ${copy}`)).code).toBe(4);
  await writeFile(path, shown.stdout.replace('"generation":1', '"generation":2'));
  expect(await world.vds(`receipts verify --out ${folder}`)).toMatchObject({
    code: 3,
    json: [{ receipts: 1, bad: [{ reason: 'wrong-signature' }] }],
  });
  expect((await world.vds(`receipts show ${receipt} --out ${folder}`)).code).toBe(3);
  const changed = await world.vds(`receipts list --vehicle ${name} --out ${folder}`);
  expect(changed.json).toMatchObject([{ files: null, verified: 'wrong-signature' }]);
});

it('a backup is restored with its key, and without what was purged', async () => {
  const [folder, to, back] = ['kept', 'copy', 'again'].map((name) => join(world.folder, name));
  const key = join(world.folder, 'operator.key');
  const names = ['SANDB0XA000000002', 'SANDB0XA000000003'];
  await world.vds(`export --vehicle ${names} --from 3d --exact-days --series driving --out ${folder}`);
  expect((await world.vds(`backup --to ${to} --out ${folder}`)).error.hint).toContain('--identity FILE');
  const made = await world.vds(`backup --to ${to} --identity ${key} --out ${folder}`);
  expect(made).toMatchObject({ code: 0, json: [{ vehicles: 2, damaged: [] }] });
  expect(made.stderr).toContain('keep a copy away from the backup');
  expect((await readFile(key, 'utf8')).split('\n')[1]).toMatch(/^AGE-SECRET-KEY-1/);
  const read = (await world.vds(`archive who ${names[1]} --out ${folder}`)).json;
  expect(read).toMatchObject([
    { what: 'export', series: 'driving', to: folder },
    { what: 'backup', to },
  ]);
  const csv = (await world.vds(`archive who ${names[1]} --csv --out ${folder}`)).stdout.split('\n');
  expect(csv.slice(0, 2)).toEqual([
    'at,what,by,to,series,from,until',
    expect.stringContaining('"vds, profile default,'),
  ]);
  expect((await world.vds(`archive who ${firstVin} --out ${folder}`)).code).toBe(4);
  await world.vds(`purge ${names[0]} --confirm ${names[0]} --out ${folder}`);
  const again = await world.vds(`backup --to ${to} --identity ${key} --out ${folder}`);
  expect(again.json).toMatchObject([{ vehicles: 1, sealed: 0 }]);
  const restored = await world.vds(`restore ${to} --identity ${key} --out ${back}`);
  expect(restored).toMatchObject({ code: 0, json: [{ vehicles: 1, problems: [] }] });
  expect(await filesOf(back ?? '')).toEqual(await filesOf(folder ?? ''));
  expect((await world.vds(`verify --out ${back}`)).code).toBe(0);
  expect(await world.vds(`restore ${to} --identity ${key} --out ${back}`)).toMatchObject({ code: 4 });
});

it('purge deletes one vehicle after its name was given', async () => {
  await world.vds(`sync --vehicle SANDB0XA000000002,SANDB0XA000000003 --since yesterday --out ${out}`);
  const [{ vehicle }] = await held();
  expect((await world.vds(`purge ${vehicle} --out ${out}`)).code).toBe(4);
  const wrong = await world.vds(`purge ${vehicle} --out ${out} --confirm ${firstVin}`);
  expect(wrong).toMatchObject({ code: 4, error: { message: expect.stringContaining('nothing was sent or deleted') } });
  for (const name of [vehicle, firstVin])
    expect((await world.vds(`purge ${name} --out ${out} --confirm ${name}`)).code).toBe(0);
  expect((await held()).map((each) => each.vehicle)).not.toContain(vehicle);
});

it('a lock that was left is named and unlocked, a manifest that is gone is repaired, and what was purged stays so', async () => {
  const folder = join(world.folder, 'operated');
  const line = `export --vehicle SANDB0XA000000003 --from 3d --exact-days --series driving --out ${folder}`;
  expect((await world.vds(line)).code).toBe(0);
  await writeFile(join(folder, 'archive.lock'), 'pod-a pid\n7\nx\n2026-01-01T00:00:00.000Z\n');
  expect((await world.vds(line)).error).toMatchObject({
    message: expect.stringContaining('process 7 on pod-a'),
    hint: expect.stringContaining('vds archive unlock'),
  });
  const unlocked = await world.vds(`archive unlock --out ${folder}`);
  expect(unlocked).toMatchObject({ code: 0, json: [{ holder: { name: 'process 7 on pod-a' } }] });
  const [{ vehicle, files }] = (await world.vds(`archive --out ${folder}`)).json;
  const manifest = join(folder, `brand=brand_a/vehicle=${vehicle}/_manifest.ndjson`);
  await rm(manifest);
  expect((await world.vds(`verify --out ${folder}`)).error).toMatchObject({
    code: 'different',
    hint: expect.stringContaining('vds archive repair'),
  });
  expect((await world.vds(`archive repair --out ${folder}`)).json).toMatchObject([{ rebuilt: files }]);
  expect((await world.vds(`verify --out ${folder}`)).code).toBe(0);
  // Neither a damaged manifest nor a lost key is in the way of a purge.
  await writeFile(manifest, 'x\n');
  await rm(join(folder, 'archive.key'));
  expect(await world.vds(`purge ${vehicle} --confirm ${vehicle} --out ${folder}`)).toMatchObject({ code: 0 });
  const left = (await readdir(folder, { recursive: true })).filter((name) => name.includes(vehicle));
  expect(left).toEqual([`receipts/brand_a-${vehicle}-1.json`]);
});

it('a vehicle that was purged is left out of every export until it is readmitted', async () => {
  const folder = join(world.folder, 'erased');
  const one = 'SANDB0XA000000003';
  const line = `export --vehicle ${one} --from 3d --exact-days --series driving --out ${folder}`;
  await world.vds(line);
  expect((await world.vds(`purge ${one} --confirm ${one} --out ${folder}`)).code).toBe(0);
  const left = await world.vds(line);
  expect([left.code, outcomesOf(left), left.stderr]).toEqual([
    0,
    ['erased'],
    expect.stringContaining('--readmit adds'),
  ]);
  const readmitted = await world.vds(`${line} --readmit`);
  expect([readmitted.code, outcomesOf(readmitted)]).toEqual([0, ['complete']]);
});

/** No other test withdraws its consent or purges it for good. */
const thirdVin = 'SANDB0XA000000003';

it('trips view calls the vehicles of an archive by their aliases, and shows it where its key is gone', async () => {
  const folder = join(world.folder, 'viewed');
  expect((await world.vds(`export --vehicle ${thirdVin} ${oneWindow} --out ${folder}`)).code).toBe(0);
  expect((await world.vds('alias set home', { input: thirdVin })).code).toBe(0);
  const namesOf = async () => {
    const interrupt = new AbortController();
    const streams = streamsOf({ env: world.env, signal: interrupt.signal });
    const ended = run(['trips', 'view', folder], streams);
    const [printed] = await once(streams.stdout, 'data');
    const html = await (await fetch(JSON.parse(String(printed)).url)).text();
    interrupt.abort();
    await ended;
    expect(html).not.toContain(thirdVin);
    return /"names":(\{[^}]*\})/.exec(html)?.[1];
  };
  expect(await namesOf()).toMatch(/^\{"[0-9a-f]{32}":"home"\}$/);
  for (const name of await readdir(folder, { recursive: true }))
    if (/key/.test(name)) await rm(join(folder, name), { force: true, recursive: true });
  expect(await namesOf()).toBe('{}');
});

it('a vehicle has its alias in the list of an archive and in queries, and its pseudonym without the key', async () => {
  const out = join(world.folder, 'aliases');
  const env = { VDS_CONFIG_DIR: join(world.folder, 'alias-config') };
  await world.vds('alias set mine', { input: thirdVin, env });
  await world.vds(`export --vehicle all --series driving --from 2026-03-02 --to 2026-03-02 --out ${out}`);
  const list = async () => (await world.vds(`archive --out ${out}`, { env })).json;
  const held = await list();
  const mine = held.filter(({ alias }) => alias === 'mine');
  expect([mine.length, held.length > 1]).toEqual([1, true]);
  const sql = 'SELECT alias, count(*) AS trips FROM driving_trips JOIN aliases USING (vehicle) GROUP BY alias';
  const query = () => world.vds(`query --out ${out} "${sql}"`, { env });
  expect((await query()).json).toEqual([{ alias: 'mine', trips: mine[0].trips }]);
  await rm(join(out, 'archive.key'));
  expect((await list()).map(({ alias }) => alias)).toEqual(held.map(() => null));
  expect(await query()).toMatchObject({ code: 0, stdout: '' });
});
