import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operations } from '@vehicle-data/openapi';
import { describe, expect, it } from 'vitest';
import { firstVin, useWorld, week } from './support/vds.ts';

const world = useWorld();
const lines = (text: string) => text.trim().split('\n');
const failure = (stderr: string): { code: string; message: string; hint?: string } => JSON.parse(stderr).error;

describe('commands of the contract', () => {
  it('vehicles list prints one JSON object a line when it is piped', async () => {
    const { code, stdout } = await world.vds('vehicles list');
    expect(code).toBe(0);
    expect(lines(stdout).map((line) => JSON.parse(line).vin)).toContain(firstVin);
  });

  it('a terminal gets a table', async () => {
    const { code, stdout } = await world.terminal('vehicles list');
    expect(code).toBe(0);
    expect(stdout).toContain('NICKNAME');
    expect(stdout).toContain('\u001b[1m');
  });

  it('NO_COLOR and --no-color leave the table without escapes', async () => {
    expect((await world.terminal('--no-color vehicles list')).stdout).not.toContain('\u001b[');
  });

  it('every operation that reads has a command, and help names it', async () => {
    const { stdout } = await world.vds('--help');
    const readers = Object.values(operations).filter(({ method, series }) => method === 'GET' && series === null);
    for (const { summary, operationId } of readers) {
      const word = operationId.replace(/^[a-z]+/, '').toLowerCase();
      expect(
        stdout.toLowerCase().replaceAll('-', '').includes(summary.toLowerCase()) || stdout.includes(word),
        operationId,
      ).toBe(true);
    }
  });

  it('location shows values with units and their age', async () => {
    const { stdout } = await world.terminal(`location ${firstVin}`);
    expect(stdout).toMatch(/location\.latitude\s+-?\d+\.\d+ °/);
    expect(stdout).toMatch(/age\s+\d+/);
  });

  it('trips list, show and timing say what is assumed', async () => {
    const list = await world.vds(`trips list ${firstVin} ${week}`);
    expect(list.code).toBe(0);
    const trips = lines(list.stdout).map((line) => JSON.parse(line));
    expect(trips.length).toBeGreaterThan(3);
    expect(trips[0]).toMatchObject({ trip: 1, badges: expect.arrayContaining(['time assumed']) });
    const show = await world.terminal(`trips show ${firstVin} ${week} --trip 1 --signals odometer.value`);
    expect(show.stdout).toContain('odometer.value (km)');
    expect(show.stdout).toMatch(/assumed/);
    expect(show.stdout).toMatch(/[\u2801-\u28ff]/);
    const timing = await world.vds(`trips timing ${firstVin} ${week}`);
    expect(JSON.parse(lines(timing.stdout)[0] ?? '')).toMatchObject({ medianStepMs: 1000 });
  });

  it('trips plot draws SVG, and a page that holds no VIN', async () => {
    const svg = await world.vds(`trips plot ${firstVin} ${week} --svg --trip 1`);
    expect(svg.stdout).toMatch(/^<svg /);
    const file = join(world.folder, 'trips.html');
    const html = await world.vds(`trips plot ${firstVin} ${week} --html --output ${file}`);
    expect(html.code).toBe(0);
    const text = await readFile(file, 'utf8');
    expect(text).toContain("default-src 'none'");
    expect(text).not.toContain(firstVin);
  });

  it('schema prints JSON Schema of what a command returns', async () => {
    const { stdout } = await world.vds('schema location');
    expect(JSON.parse(stdout)).toMatchObject({ type: 'object', required: ['location'] });
  });
});

describe('mistakes', () => {
  const list = `trips list ${firstVin}`;
  it.each([
    ['an unknown alias', 'location hme', 'neither an alias nor a VIN'],
    ['a day that does not exist', `${list} --from 2026-02-30`, '--from must be a day'],
    ['an end before the start', `${list} --from 2026-03-02 --to 2026-03-01`, '--to must not be before'],
    ['a start in the future', `${list} --from 2999-01-01 --to 2999-01-02`, 'is in the future'],
    ['a brand that is none', '--brand brand_z vehicles list', 'not one of the contract'],
    ['a signal that is none', `trips show ${firstVin} ${week} --signals odometer.valeu`, 'not one of the contract'],
    ['an address with a user', '--base-url http://user:secret@127.0.0.1 vehicles list', 'base address'],
  ])('%s is one JSON error on stderr, exit code 4, and repeats no value', async (_, line, message) => {
    const { code, stdout, stderr } = await world.vds(line);
    expect(code).toBe(4);
    expect(stdout).toBe('');
    expect(lines(stderr)).toHaveLength(1);
    expect(failure(stderr).message).toContain(message);
    expect(stderr).not.toContain('secret');
    expect(stderr).not.toContain('hme');
  });

  it('a signal that is nearly right is suggested', async () => {
    const { stderr } = await world.vds(`trips show ${firstVin} ${week} --signals odometer.valeu`);
    expect(failure(stderr).hint).toContain('odometer.value');
  });

  it('an unknown command suggests one and exits with 4', async () => {
    const { code, stderr } = await world.vds('vehicle');
    expect(code).toBe(4);
    expect(stderr).toContain('vehicles');
  });

  it('a server that is not there is exit code 1', async () => {
    const { code, stderr } = await world.vds('--base-url http://127.0.0.1:9 vehicles list');
    expect(code).toBe(1);
    expect(failure(stderr).code).toBe('connection-failed');
  });

  it('a token that is wrong says what to do', async () => {
    const { code, stderr } = await world.vds(`location ${firstVin}`, { env: { VDS_ACCESS_TOKEN: 'wrong' } });
    expect(code).toBe(1);
    expect(failure(stderr)).toMatchObject({ code: '4011', hint: expect.stringContaining('vds auth login') });
  });
});

describe('secrets and aliases', () => {
  it('a token is never an argument: no option takes one', async () => {
    for (const command of ['--help', 'auth login --help']) {
      const { stdout } = await world.vds(command);
      expect(stdout).not.toMatch(/--(access-)?token/);
    }
  });

  it('login keeps a secret in a file of mode 0600 by choice, status says where, logout removes it', async () => {
    const env = { VDS_ACCESS_TOKEN: '', VDS_PROFILE: 'nightly' };
    const login = await world.vds('auth login --store file', { input: 'demo-access-token\n', env });
    expect(login.code).toBe(0);
    const path = JSON.parse(login.stdout).kept;
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(world.folder, 'config', 'config.json'))).mode & 0o777).toBe(0o600);
    const status = await world.vds('auth status', { env });
    expect(JSON.parse(status.stdout)).toMatchObject({ profile: 'nightly', credentials: 'access-token', from: path });
    expect((await world.vds(`location ${firstVin}`, { env })).code).toBe(0);
    expect((await world.vds('auth logout', { env })).code).toBe(0);
    await expect(readFile(path)).rejects.toThrow();
  });

  it('a secret file that others can read is rejected', async () => {
    const env = { VDS_ACCESS_TOKEN: '', VDS_PROFILE: 'open' };
    const { stdout } = await world.vds('auth login --store file', { input: 'demo-access-token', env });
    const { chmod } = await import('node:fs/promises');
    await chmod(JSON.parse(stdout).kept, 0o644);
    const { code, stderr } = await world.vds(`location ${firstVin}`, { env });
    expect(code).toBe(4);
    expect(failure(stderr).hint).toContain('chmod 600');
  });

  it('an alias stands for a VIN that was piped', async () => {
    expect((await world.vds('alias set home', { input: firstVin })).code).toBe(0);
    expect((await world.vds('location home')).code).toBe(0);
    const wrong = await world.vds('location hone');
    expect(failure(wrong.stderr).hint).toBe('Did you mean home?');
  });

  it('completion offers aliases and needs no network', async () => {
    const shells = 'for shell in bash zsh fish powershell; do vds completion $shell | wc -c; done';
    const { stdout, code } = await world.session(
      `export VDS_BASE_URL=http://127.0.0.1:9; ${shells}; exec vds complete -- location ''`,
    );
    expect(code).toBe(0);
    const [bash, zsh, fish, powershell, ...found] = lines(stdout);
    for (const length of [bash, zsh, fish, powershell]) expect(Number(length)).toBeGreaterThan(500);
    expect(found.join()).toContain('home');
  });

  it('a broken configuration file is named, without its values', async () => {
    const file = join(world.folder, 'broken.json');
    await writeFile(file, '{"aliases":{"home":"SECRETVIN"}}');
    const { code, stderr } = await world.vds('vehicles list', { env: { VDS_CONFIG_FILE: file } });
    expect(code).toBe(4);
    expect(failure(stderr).message).toContain('aliases.home must be a VIN');
    expect(stderr).not.toContain('SECRETVIN');
  });
});

describe('hostile texts', () => {
  it('a nickname with control characters cannot move the cursor', async () => {
    const { renderTable } = await import('../src/output/table.ts');
    const rows = [{ nickname: 'a\u001b[2J\u202eb\r\nc\u200d' }];
    const table = renderTable(rows, [{ title: 'nickname', value: (row) => row.nickname }], 80, false);
    expect(table.split('\n')).toHaveLength(2);
    for (const character of ['\u001b', '\r', '\u202e', '\u200d']) expect(table).not.toContain(character);
  });
});

describe('consent', () => {
  it('stop needs the name typed, on a terminal and in a script', async () => {
    const unconfirmed = await world.vds('consent stop home');
    expect(unconfirmed.code).toBe(4);
    const wrong = await world.terminal('consent stop home', 'hone');
    expect(wrong.code).toBe(4);
    expect(wrong.stdout).toContain('nothing was sent');
    expect((await world.vds('location home')).code).toBe(0);
  });

  it('stop-all wants the brand on the command line; profile and environment are not enough', async () => {
    const { code, stderr } = await world.vds('consent stop-all --confirm brand_a');
    expect(code).toBe(4);
    expect(failure(stderr).message).toContain('on the command line');
    expect((await world.vds('location home')).code).toBe(0);
  });

  it('stop ends sharing for one vehicle only', async () => {
    const { code } = await world.terminal('consent stop home', 'home');
    expect(code).toBe(0);
    const after = await world.vds('location home');
    expect(failure(after.stderr)).toMatchObject({ code: '5006', hint: expect.stringContaining('vds purge') });
    expect(lines((await world.vds('vehicles list')).stdout).length).toBeGreaterThan(0);
  });
});
