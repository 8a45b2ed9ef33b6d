import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createVehicleDataClient } from '@vehicle-data/client';
import { describe, expect, it } from 'vitest';
// What reads a page, which only the page itself needs.
import { inflate } from '../../trip-view/dist/deflate.js';
import { unpackRecords } from '../../trip-view/dist/packed-records.js';
import { bytesOf } from '../../trip-view/dist/page-text.js';
import { readInput } from '../src/ask.ts';
import { renderTable } from '../src/output/table.ts';
import { firstVin, startWorld, streamsOf, upstreamOf, upstreamWith, week } from './support/vds.ts';

const world = await startWorld();

describe('what commands print', () => {
  it('a list is a JSON object a line in a pipe, and a table on a terminal, without escapes if so asked', async () => {
    const { code, json } = await world.vds('vehicles list');
    expect(code).toBe(0);
    expect(json.map(({ vin }) => vin)).toContain(firstVin);
    const table = (await world.screen('vehicles list')).stdout;
    expect(table).toContain('NICKNAME');
    expect(table).toContain('\u001b[1m');
    expect((await world.screen('vehicles list', { columns: 0 })).stdout).toBe(table);
    const plain = await world.screen('--no-color --no-color vehicles list');
    expect(plain.stdout).not.toContain('\u001b[');
    expect(await world.screen('vehicles list', { more: { NO_COLOR: '1' } })).toEqual(plain);
  });

  it('location shows values with units and their age', async () => {
    const { stdout } = await world.screen(`location ${firstVin}`);
    expect(stdout).toMatch(/location\.latitude\s+-?\d+\.\d+ °/);
    expect(stdout).toMatch(/age\s+\d+/);
  });

  it('trips list, show and timing say what is assumed', async () => {
    const { json } = await world.vds(`trips list ${firstVin} ${week}`);
    expect(json.length).toBeGreaterThan(3);
    expect(json[0]).toMatchObject({ trip: 1, badges: expect.arrayContaining(['time assumed']) });
    const show = await world.screen(`trips show ${firstVin} ${week} --trip 1 --signals odometer.value`);
    for (const shown of ['odometer.value (km since the start)', 'assumed', /[\u2801-\u28ff]/])
      expect(show.stdout).toMatch(shown);
    const timing = await world.vds(`trips timing ${firstVin} ${week}`);
    expect(timing.json[0]).toMatchObject({ medianStepMs: 1000 });
  });

  const facing = 'SANDB0XA000000003';
  const marchWeek = '--from 2026-03-02 --to 2026-03-08';

  it('trips list and show state facts with their basis and moments, and no score', async () => {
    const { json } = await world.vds(`trips list ${facing} ${marchWeek}`);
    const [first] = json;
    expect(first.facts).toMatchObject({
      distance: { unit: 'km', basis: 'derived' },
      duration: { value: first.durationMs, basis: 'sent' },
      topSpeed: { unit: 'km/h', basis: 'assumed-time' },
    });
    const { low, value, high } = first.facts.distance;
    expect(low < value && value < high && value === first.distance.value).toBe(true);
    expect(JSON.stringify(json)).not.toMatch(/score/i);
    const braking = json.find(({ moments }) => moments['hard-braking'] > 0);
    const show = await world.vds(`trips show ${facing} ${marchWeek} --trip ${braking.trip}`);
    const found = show.json[0].moments.filter(({ kind }: { kind: string }) => kind === 'hard-braking');
    expect(found).toHaveLength(braking.moments['hard-braking']);
    expect(found[0].values.lowestG).toBeLessThanOrEqual(-0.45);
    const { stdout } = await world.screen(`trips show ${facing} ${marchWeek} --trip ${braking.trip}`);
    for (const shown of [
      /distance +[\d.]+ km .*derived/,
      /duration .*sent/,
      /hard-braking +\d+:\d\d min/,
      / g, from \d+ km\/h/,
    ])
      expect(stdout).toMatch(shown);
  });

  it('week is seven days of facts and moments that add up, on one screen of 80 columns and 40 rows', async () => {
    const line = `week ${facing} --to 2026-03-08 --zone Europe/Berlin`;
    const week = (await world.vds(line)).json[0];
    expect(week.days.map(({ day }: { day: string }) => day.slice(-2))).toEqual([
      '02',
      '03',
      '04',
      '05',
      '06',
      '07',
      '08',
    ]);
    const sum = (of: (day: typeof week) => number) =>
      week.days.map(of).reduce((one: number, two: number) => one + two, 0);
    expect(sum(({ trips }) => trips)).toBe(week.total.trips);
    expect(sum(({ distance }) => distance.value)).toBeCloseTo(week.total.distance.value);
    const counts: readonly number[] = Object.values(week.total.moments);
    expect(counts.reduce((one, two) => one + two, 0)).toBe(week.moments.length);
    expect(week.moments[0].kind).toBe(Object.keys(week.total.moments)[0]);
    const { code, stdout } = await world.screen(`--no-color ${line}`, { columns: 80 });
    const screen = stdout.trimEnd().split('\r\n');
    expect([code, screen.length <= 40, Math.max(...screen.map(({ length }) => length)) <= 80]).toEqual([0, true, true]);
    expect(stdout).toMatch(new RegExp(`total +${week.total.trips} `));
    expect(stdout).toMatch(/derived from the odometer/);
    expect(stdout).not.toContain(facing);
    // A week without trips is one of zeros, and no error.
    const empty = await world.vds(`week ${facing} --to 1990-03-08`);
    expect(empty.json[0]?.total ?? empty.error).toMatchObject({ trips: 0, distance: { value: 0 }, moments: {} });
  });

  it('week says how many trips do not tell, and that a sum leaves them out', async () => {
    const odometer = { value: [1, 2, 3] };
    const trips = [8, 9].map((hour) => ({
      triggerStartTime: `2026-03-02T0${hour}:00:00.000Z`,
      tripLength: 3000,
      ...(hour === 8 ? { odometer } : {}),
    }));
    const { url } = await upstreamWith({ trips });
    const { json } = await world.vds(`--base-url ${url} week ${facing} --to 2026-03-02`);
    const { distance, topSpeed } = json[0].total;
    expect([distance, topSpeed]).toMatchObject([{ value: 2, high: null, unknown: 1 }, null]);
  });

  it('trips plot draws SVG, and a page that holds no VIN', async () => {
    const svg = await world.vds(`trips plot ${firstVin} ${week} --svg --trip 1`);
    expect(svg.stdout).toMatch(/^<svg /);
    const file = join(world.folder, 'trips.html');
    const html = await world.vds(`trips plot ${firstVin} ${week} --html --output ${file}`);
    expect(html.json).toEqual([{ file, bytes: (await stat(file)).size }]);
    const text = await readFile(file, 'utf16le');
    expect(text).toMatch(/^\ufeff<!DOCTYPE html>/);
    expect(text).toContain("default-src 'none'");
    expect(text).not.toContain(firstVin);
    const { code, stdout } = await world.screen(`trips plot ${firstVin} ${week} --html`);
    expect([code, stdout]).toEqual([4, expect.stringContaining('--output trips.html')]);
  });

  it('the page of a month has both series of each trip, 7.8 MB of JSON in a file of at most 400 kB', async () => {
    const month = '--from 2026-03-01 --to 2026-03-31';
    const pageOf = async (options: string) => {
      const file = join(world.folder, 'month.html');
      await world.vds(`trips plot ${firstVin} ${month} --html --output ${file} ${options}`);
      return readFile(file);
    };
    const page = await pageOf('');
    expect(page.length).toBeLessThan(400_000);
    const [, text = ''] = /id="records">([^<]+)/.exec(page.toString('utf16le')) ?? [];
    const records = unpackRecords(await inflate(bytesOf(text))) as {
      readonly series: string;
      readonly trip: unknown;
    }[];
    const { VDS_BASE_URL: baseUrl = '', VDS_ACCESS_TOKEN: accessToken } = world.env;
    const client = createVehicleDataClient({ baseUrl, brand: 'brand_a', accessToken });
    for (const series of ['driving', 'powertrain'] as const) {
      const sent: unknown[] = [];
      for await (const trip of client.trips[series]({ vin: firstVin, from: '20260301', to: '20260331' }))
        sent.push(trip);
      expect(records.filter((record) => record.series === series).map(({ trip }) => trip)).toEqual(sent);
    }
    expect((await pageOf('--series powertrain')).length).toBeLessThan(page.length * 0.7);
  });

  it('of trips with one start each has its own picture, and one without a readable start has its table', async () => {
    const trips = [2, 3, 4].map((samples) => ({
      triggerStartTime: samples === 4 ? 'unknown' : '2026-03-02T08:00:00.000Z',
      tripLength: samples * 1000,
      odometer: { value: Array(samples).fill(samples) },
    }));
    const { url } = await upstreamWith({ trips });
    const of = (command: string) => `--base-url ${url} trips ${command} ${firstVin} ${week} --trip`;
    for (const trip of [1, 2])
      expect((await world.vds(`${of('plot --svg')} ${trip}`)).stdout).toContain(`08:00 UTC, ${trip + 1} s`);
    const { code, stdout } = await world.screen(`${of('show')} 3`);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/start unknown.*odometer\.value +4/s)]);
  });

  it('more than 20,000 trips are too many to show at once', async () => {
    const start = Date.parse('2026-03-02T00:00:00.000Z');
    const trips = Array.from({ length: 20_001 }, (_, second) => ({
      triggerStartTime: new Date(start + second * 1000).toISOString(),
      tripLength: 1000,
    }));
    const { url } = await upstreamWith({ trips });
    const line = `trips list ${firstVin} --from 2026-03-02 --to 2026-03-02`;
    const { code, stdout, error } = await world.vds(`--base-url ${url} ${line}`);
    expect([code, stdout, error.code]).toEqual([1, '', 'too-many-trips']);
  });

  it('trips view opens the explorer with the brand that was chosen, until it is interrupted', async () => {
    const child = world.start('--brand brand_b trips view');
    const [printed] = await once(child.stdout, 'data');
    const html = await (await fetch(JSON.parse(String(printed)).url)).text();
    expect(html).toContain('"brands":["brand_b","brand_a","brand_c"]');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('a reader of stderr that leaves early ends nothing', async () => {
    const child = world.start('location nowhere');
    child.stderr.destroy();
    expect(await once(child, 'close')).toEqual([4, null]);
  });

  it('sandbox passes its words on as they are, and fails where it fails', async () => {
    const child = world.start('sandbox "--no such,option"');
    const ended = once(child, 'close');
    const said = await text(child.stderr);
    expect(said).toContain('vds-sandbox: argument 1: not a flag');
    expect(said).not.toContain('argument 2');
    expect(await ended).toEqual([1, null]);
  });

  it('schema prints JSON Schema of what a command returns', async () => {
    expect((await world.vds('schema vehicles list')).code).toBe(0);
    const { stdout } = await world.vds('schema location');
    expect(JSON.parse(stdout)).toMatchObject({ type: 'object', required: ['location'] });
  });

  it('doctor says what works, and what to do about what does not', async () => {
    expect((await world.vds('doctor')).json[0].checks).toContainEqual(
      expect.objectContaining({ name: 'consent', ok: true, found: expect.stringMatching(/^\d+ vehicles share data$/) }),
    );
    // A status at the root of a service says nothing, and what works needs no fix.
    const { stdout } = await world.vds('doctor');
    expect(stdout).toContain('can be reached');
    expect(stdout).not.toMatch(/HTTP \d|"fix"/);
    const broken = await world.screen('--base-url http://127.0.0.1:9 doctor');
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/FAIL {2}address .* does not respond\r?\n +Check --base-url/);
  });

  it('names and texts of the service cannot move the cursor, and are whole in JSON', async () => {
    const hostile = 'a\u001b[2J\u202eb\r\nc\u200d\u009b2J\u{f0000}';
    const record = { [hostile]: hostile };
    const { url } = await upstreamWith({ vehicles: [{ vin: firstVin, nickname: hostile }], ...record });
    const list = await world.vds(`--base-url ${url} vehicles list`);
    expect(list.json).toMatchObject([{ nickname: hostile }]);
    const fields = await world.screen(`--base-url ${url} status ${firstVin}`);
    const table = renderTable([record], [hostile], { width: 80 }).text;
    expect(table.split('\n')).toHaveLength(2);
    const printed = list.stdout + table + fields.stdout.replaceAll('\r\n', '\n');
    for (const hidden of ['\u001b', '\r', '\u202e', '\u200d', '\u009b', '\u{f0000}'])
      expect(printed).not.toContain(hidden);
  });

  it('a table is as wide as the terminal where its text needs that', () => {
    const lines = [150, 250].map(
      (length) => renderTable([{ text: 'x'.repeat(length) }], ['text'], { width: 200 }).text.split('\n')[1],
    );
    expect(lines).toEqual(['x'.repeat(150), `${'x'.repeat(199)}…`]);
  });
});

describe('a failure is one JSON error on stderr that repeats no value', () => {
  const list = `trips list ${firstVin}`;
  const show = `trips show ${firstVin} ${week} --signals`;
  interface Failure {
    readonly story: string;
    readonly line: string;
    /** What the members of the error contain. */
    readonly error: Readonly<Record<string, string>>;
    /** 4 if it is left out. */
    readonly exitCode?: number;
    readonly variables?: NodeJS.ProcessEnv;
  }
  it.each<Failure>([
    { story: 'an unknown alias', line: 'location hme', error: { message: 'neither an alias nor a VIN' } },
    {
      story: 'a name that every object has',
      line: 'location constructor',
      error: { message: 'neither an alias nor a VIN' },
    },
    {
      story: 'a day that does not exist',
      line: `${list} --from 2026-02-30`,
      error: { message: '--from must be a day' },
    },
    {
      story: 'a command that is nearly one',
      line: 'vehicle',
      error: { message: 'unknown command', hint: 'Did you mean vehicles?' },
    },
    { story: 'a VIN in place of a command', line: firstVin, error: { message: 'unknown command' } },
    {
      story: 'a secret option',
      line: 'vehicles list "--access-token=no\n(secret)"',
      error: { message: "unknown option '--access-token'" },
    },
    {
      story: 'a choice that is none',
      line: 'export --format secret',
      error: { message: "'--format <format>' is invalid. Allowed" },
    },
    {
      story: 'a shell that is none',
      line: 'completion secret',
      error: { message: "is invalid for argument 'shell'. Allowed" },
    },
    {
      story: 'a typo in an option that must be there',
      line: 'export --form 2026',
      error: { message: "unknown option '--form'", hint: 'Did you mean --from?' },
    },
    {
      story: 'an option that is missing',
      line: 'export',
      error: { code: 'usage', message: "required option '--from <day>'" },
    },
    {
      story: 'an option twice',
      line: 'export --vehicle hme --vehicle=b',
      error: { message: "'--vehicle <names>' is given twice" },
    },
    {
      story: 'a general option twice',
      line: '--brand brand_a location hme --brand brand_b',
      error: { message: 'is given twice' },
    },
    { story: 'an alias for what is every vehicle', line: 'alias set all', error: { message: 'and is not "all"' } },
    {
      story: 'a command without a schema',
      line: 'schema export',
      error: { message: 'no schema of that name', hint: 'vds schema' },
    },
    {
      story: 'an end before the start',
      line: `${list} --from 2026-03-02 --to 2026-03-01`,
      error: { message: '--to must not be before' },
    },
    {
      story: 'a start in the future',
      line: `${list} --from 2999-01-01 --to 2999-01-02`,
      error: { message: 'is in the future' },
    },
    {
      story: 'a zone that is none',
      line: 'trips view --zone Europe/Berln',
      error: { message: 'the zone must be a name' },
    },
    ...['+02:00', 'europe/berlin', 'EUROPE/BERLIN'].map((zone) => ({
      story: zone,
      line: `export --from 7d --zone ${zone}`,
      error: { message: 'the zone must be a name' },
    })),
    {
      story: 'a brand that is none',
      line: '--brand brand_z vehicles list',
      error: { message: 'not one of the contract' },
    },
    {
      story: 'a signal of another series',
      line: `${show} engine.rpm`,
      error: { message: 'another series', hint: '--series powertrain' },
    },
    {
      story: 'a signal that is nearly one',
      line: `${show} odometer.valeu`,
      error: { message: 'not one of the contract', hint: 'odometer.value' },
    },
    {
      story: 'an address with a user',
      line: '--base-url http://u:secret@127.0.0.1 vehicles list',
      error: { message: 'base address' },
    },
    {
      story: 'no server',
      line: '--base-url http://127.0.0.1:9 vehicles list',
      error: { code: 'connection-failed' },
      exitCode: 1,
    },
    {
      story: 'a wrong token',
      line: `location ${firstVin}`,
      error: { code: '4011', hint: 'vds auth login' },
      exitCode: 1,
      variables: { VDS_ACCESS_TOKEN: 'secret' },
    },
  ])('$story', async ({ line, error, exitCode = 4, variables = {} }) => {
    const env = { VDS_ARCHIVE: join(world.folder, 'none'), ...variables };
    const { stderr, error: printed, ...more } = await world.vds(line, { env });
    expect(more).toMatchObject({ code: exitCode, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    for (const [name, text] of Object.entries(error)) expect(printed[name]).toContain(text);
    expect(stderr).not.toMatch(/secret|hme|valeu|SANDB0X/);
    expect(await readdir(world.folder)).not.toContain('none');
  });
});

describe('secrets and aliases', () => {
  it('login keeps a secret in a file of mode 0600 by choice, status says where, logout removes it', async () => {
    const env = { VDS_ACCESS_TOKEN: '', VDS_PROFILE: 'nightly' };
    const login = await world.vds('auth login --store file', { input: 'demo-access-token\n', env });
    const path = login.json[0].kept;
    for (const file of [path, join(world.folder, 'config', 'config.json')])
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    const status = { profile: 'nightly', credentials: 'access-token', from: path };
    expect((await world.vds('auth status', { env })).json).toMatchObject([status]);
    expect((await world.vds(`location ${firstVin}`, { env })).code).toBe(0);
    const both = await world.vds('auth status', { env: { ...env, VDS_ACCESS_TOKEN_FILE: path, VDS_API_KEY: 'key' } });
    expect(both.json).toMatchObject([{ credentials: 'api-key', from: 'VDS_API_KEY' }]);
    // The choice is remembered.
    expect((await world.vds('auth login', { input: 'renewed', env })).stdout).toBe(login.stdout);
    expect(await readFile(path, 'utf8')).toBe('renewed\n');
    await chmod(path, 0o644);
    const error = { hint: expect.stringContaining('chmod 600') };
    expect(await world.vds(`location ${firstVin}`, { env })).toMatchObject({ code: 4, error });
    expect((await world.vds('auth logout', { env })).code).toBe(0);
    await expect(readFile(path)).rejects.toThrow();
  });

  it('an alias stands for a VIN that was piped', async () => {
    expect((await world.vds('alias set home', { input: firstVin })).code).toBe(0);
    expect((await world.vds('location home')).code).toBe(0);
    expect((await world.vds('location hone')).error.hint).toBe('Did you mean home?');
  });

  it('an empty variable is an unset one, and settings of the proxy are not settings of vds', async () => {
    const empty = ['VDS_CONFIG_DIR', 'XDG_CONFIG_HOME', 'VDS_ACCESS_TOKEN', 'VDS_ACCESS_TOKEN_FILE', 'VDS_ZONE'];
    const env = {
      ...Object.fromEntries(empty.map((name) => [name, ''])),
      VDS_CONFIG_FILE: join(world.folder, 'proxy.json'),
      VDS_STORE: 'redis',
    };
    const kept = join(world.folder, '.config', 'vds', 'secret-default');
    const login = await world.vds('auth login --store file', { input: 'demo-access-token', env });
    expect(login.json).toMatchObject([{ kept }]);
    expect((await world.vds(`trips list ${firstVin} ${week}`, { env })).code).toBe(0);
  });

  it('a configuration folder that cannot be written is named, with the variable that names another', async () => {
    const folder = join(world.folder, 'unwritable');
    await mkdir(join(folder, 'secret-default'), { recursive: true });
    const env = { VDS_CONFIG_DIR: folder };
    const { code, error } = await world.vds('auth login --store file', { input: 'x', env });
    expect(code).toBe(1);
    expect(error).toEqual({
      code: 'config-unwritable',
      message: expect.stringMatching(`^${folder}/secret-default cannot be written .E[A-Z]+.$`),
      hint: 'Choose another folder with VDS_CONFIG_DIR.',
    });
    expect(await readdir(folder)).toEqual(['secret-default']);
  });

  it('a broken configuration file is named, without its values', async () => {
    const folder = join(world.folder, 'broken');
    await mkdir(folder);
    await writeFile(join(folder, 'config.json'), '{"aliases":{"home":"SECRETVIN"}}');
    const { code, stderr } = await world.vds('vehicles list', { env: { VDS_CONFIG_DIR: folder } });
    expect(code).toBe(4);
    expect(stderr).toContain('aliases.home must be a VIN');
    expect(stderr).not.toContain('SECRETVIN');
  });
});

describe('a question on a terminal', () => {
  it.each([
    { line: 'consent stop-all --brand brand_a', question: 'Type brand_a to confirm: ' },
    { line: 'alias set car', question: 'Number of the vehicle: ' },
    { line: 'auth login --store file', question: 'Access token: ' },
  ])('stays visible, and Ctrl-C and Ctrl-D end it as an interruption: vds $line', async ({ line, question }) => {
    for (const key of ['\u0003', '\u0004']) {
      const { code, stdout } = await world.screen(line, { typed: [[question, key]] });
      const [, visible] = stdout.split('\u001b[0J').at(-1)?.split(question) ?? [];
      expect(visible).toMatch(/\r\nvds: interrupted\r\n$/);
      expect(code).toBe(130);
    }
  });

  it('shows what is typed, but not a secret', async () => {
    const env = 'VDS_CONFIG_DIR=$HOME/typed';
    const login = await world.session(`${env} exec vds auth login --store file`, [['token: ', 'demo-secret\r']]);
    expect(login.stdout).not.toContain('demo-secret');
    const { stdout } = await world.session(`${env} exec vds alias set car`, [['vehicle: ', '1\r']]);
    expect(stdout).toMatch(/Number of the vehicle: .*1\r+\ncar now names that vehicle/);
  });

  it('ends on a real terminal as in this process', async () => {
    const typed = [['vehicle: ', '\u0003']] as const;
    expect(await world.session('exec vds alias set car', typed)).toEqual(
      await world.screen('alias set car', { typed }),
    );
  });

  it('and a text from standard input ends with the run, too', async () => {
    const reading = readInput(streamsOf({ signal: AbortSignal.timeout(20) }));
    await expect(reading).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 });
  });
});

describe('consent', () => {
  const isShared = async () => (await world.vds('location home')).code === 0;

  it('stop needs the name typed, on a terminal and in a script', async () => {
    expect((await world.vds('consent stop home')).code).toBe(4);
    const wrong = await world.screen('consent stop home', { typed: [[': ', 'hone\r']] });
    expect(wrong.code).toBe(4);
    expect(wrong.stdout).toContain('nothing was sent');
    expect(await isShared()).toBe(true);
  });

  it('stop takes the word that was typed for the vehicle again, be it its VIN or any of its aliases', async () => {
    const stop = async (vehicle: string, confirm: string) =>
      (await world.vds(`consent stop ${vehicle} --confirm ${confirm}`)).code;
    const [vin, another] = ['SANDB0XA000000002', 'SANDB0XA000000003'];
    for (const alias of ['first', 'second']) await world.vds(`alias set ${alias}`, { input: vin });
    await world.vds('alias set third', { input: another });
    expect([await stop('second', 'first'), await stop(vin, 'first'), await stop('second', vin)]).toEqual([4, 4, 4]);
    expect([await stop('second', 'second'), await stop(another, another)]).toEqual([0, 0]);
  });

  it('a withdrawal without a response may have taken effect', async () => {
    const { url } = await upstreamOf(({ socket }) => void socket.destroy());
    const stop = await world.vds(`--base-url ${url} consent stop home --confirm home`);
    const hint = 'It may have taken effect. See: vds vehicles list';
    expect(stop).toMatchObject({ code: 1, error: { resolution: 'check-effect', hint } });
  });

  it('stop-all wants the brand on the command line; profile and environment are not enough', async () => {
    const error = { message: expect.stringContaining('on the command line') };
    expect(await world.vds('consent stop-all --confirm brand_a')).toMatchObject({ code: 4, error });
    expect(await isShared()).toBe(true);
  });

  it('stop ends sharing for one vehicle only', async () => {
    expect((await world.screen('consent stop home', { typed: [[': ', 'home\r']] })).code).toBe(0);
    const { error } = await world.vds('location home');
    expect(error).toMatchObject({ code: '5006', hint: expect.stringContaining('vds purge') });
    expect((await world.vds('vehicles list')).stdout).not.toBe('');
  });
});
