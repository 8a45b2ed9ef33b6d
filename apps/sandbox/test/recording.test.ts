import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OperationId, operations } from '@vehicle-data/openapi';
import { describe, expect, it } from 'vitest';
import { createSandbox, exportFixtures, type RecordedCall, replaySession } from '../src/index.js';
import { control, locations, send, served, startCommand, temporaryFolder, vin, violations } from './calls.js';

describe('a recording', () => {
  async function session(): Promise<readonly RecordedCall[]> {
    const calls: RecordedCall[] = [];
    const sandbox = createSandbox({ seed: 3, onCall: (call) => calls.push(call) });
    await send(sandbox, locations);
    await control(sandbox, 'clock', { now: '2026-03-09T07:10:00Z', frozen: false });
    await send(sandbox, locations);
    await control(sandbox, 'faults', { kind: 'error', code: '429', times: 1 });
    await send(sandbox, locations);
    await send(sandbox, `/v1/vehicles/consent?vin=${vin}`, { method: 'DELETE' });
    await send(sandbox, locations);
    const secrets = { clientId: 'demo-client', clientSecret: 'demo-secret', refreshToken: 'demo-refresh-token' };
    const { json } = await control(sandbox, 'oauth/token', secrets);
    await send(sandbox, '/v1/vehicles/consent', { token: json.data.accessToken });
    await send(sandbox, locations, { token: 'unknown' });
    await send(sandbox, '/sandbox/reset', { method: 'POST', headers: { Origin: 'http://page.invalid' } });
    await send(sandbox, locations);
    const login =
      '/sandbox/oauth/authorize?response_type=code&client_id=demo-client&redirect_uri=http://app.invalid&state=';
    await sandbox.fetch(`http://sandbox${login}secret-state`);
    const decide = (redirect_uri: string) => {
      const form = new URLSearchParams({ vin, decision: 'agree', redirect_uri, state: 'secret-state' });
      return sandbox.fetch('http://sandbox/sandbox/owners/demo', { method: 'POST', body: form });
    };
    await decide('http://app.invalid');
    await send(sandbox, locations);
    await decide('no address');
    // Logins on wrong paths.
    const inQuery = 'client_secret=demo-secret&refresh_token=demo-refresh-token';
    const post = { method: 'POST', body: JSON.stringify(secrets) };
    for (const path of ['/sandbox/token', '/oauth/token', '/sandbox/reset', '/v1/vehicles/consent'])
      await send(sandbox, `${path}?${inQuery}`, post);
    await send(sandbox, '/sandbox/faults', { ...post, method: 'DELETE' });
    await send(sandbox, `/v1/vehicles/consent?${inQuery}`);
    await send(sandbox, '/%73andbox/f%61ults', {
      method: 'POST',
      body: JSON.stringify({ kind: 'error', code: '5001', times: 1 }),
    });
    await send(sandbox, locations);
    await sandbox.fetch('http://sandbox/%73andbox/trips');
    for (const query of ['=demo-secret&client_secret%3Ddemo-secret', 'foo=%Z', 'foo=%FF', '%66oo=1', '%C3=1'])
      await send(sandbox, `/v1/vehicles/consent?${query}`);
    await sandbox.fetch(`http://sandbox${locations}`, { method: 'HEAD' });
    await send(sandbox, `/v1/vehicles/consent?v%69n=${vin}`, { method: 'DELETE' });
    await send(sandbox, '/v1/vehicles/consent?', { method: 'DELETE' });
    expect(await (await sandbox.fetch('http://sandbox/sandbox/trips')).text()).toContain('demo-access-token');
    await control(sandbox, 'faults', { kind: 'stalled-body' });
    // A client that leaves before its body is sent.
    const left = new ReadableStream({ pull: (controller) => controller.error(new Error('left')) });
    const leaving = { method: 'POST', body: left, duplex: 'half' } as const;
    await send(sandbox, '/sandbox/clock', leaving);
    const signal = AbortSignal.abort();
    await expect(send(sandbox, '/v1/vehicles/consent', { signal })).rejects.toThrow('cut by a fault');
    await new Promise((resolve) => setTimeout(resolve, 0));
    const { accessToken, refreshToken } = json.data;
    const known = ['demo-access-token', 'demo-secret', 'demo-refresh-token', 'secret-state'];
    for (const secret of [accessToken, refreshToken, ...known]) expect(JSON.stringify(calls)).not.toContain(secret);
    return calls;
  }

  it('holds no token, and played again gives the same responses, in another process at another time too', async () => {
    const calls = JSON.parse(JSON.stringify(await session())) as readonly RecordedCall[];
    expect(calls.map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 429, 200, 400, 200, 200, 400, 403, 400, 303, 303, 200, 400, 404, 400, 200, 400, 200, 400, 200,
      500, 200, 400, 400, 400, 400, 400, 400, 200, 400, 200, 200, 400, 200,
    ]);
    expect(await replaySession(calls, { seed: 3 })).toEqual([]);
  });

  it('shows what differs: with another seed the places do', async () => {
    const differences = await replaySession(await session(), { seed: 4 });
    expect(differences.map(({ index }) => index)).toEqual([0, 2, 14]);
  });

  it('is written and read by the command, which never writes over another', async () => {
    const file = join(temporaryFolder(), 'session.ndjson');
    const recorded = await served(['--record', file, '--seed', '5', '--vehicles', '40']);
    for (const path of [locations, '/v1/vehicles/consent']) await send(recorded, path);
    const again = startCommand(['--port', '0', '--record', file]);
    expect(await again.ended).toBe(1);
    const stderr = 'vds-sandbox: the recording exists; choose another file with --record\n';
    expect(again.output).toEqual({ stdout: '', stderr });
    recorded.command.process.kill('SIGTERM');
    await recorded.command.ended;
    const replayed = startCommand(['replay', file]);
    expect(await replayed.ended).toBe(0);
    expect(replayed.output).toEqual({ stdout: '2 calls replayed, 0 with another response\n', stderr: '' });
  });
});

describe('fixtures', () => {
  it('of a month nineteen centuries ago are those of one month', async () => {
    const names: string[] = [];
    for await (const { name } of exportFixtures({ vin, month: '0026-03' })) if (names.push(name) > 12) break;
    expect(names.length).toBeLessThan(13);
  });

  it('are every response about a vehicle in a month, as the contract says', async () => {
    const names: string[] = [];
    for await (const { name, text } of exportFixtures({ vin, month: '2026-02' })) {
      names.push(name);
      const id = (Object.keys(operations) as OperationId[]).find((known) => name.startsWith(known));
      const response = { status: 200, headers: new Headers(), json: JSON.parse(text) };
      expect(id && violations(id, response), name).toEqual([]);
    }
    const expected = Object.values(operations).flatMap(({ operationId, method, dateRange }) => {
      if (method !== 'GET') return [];
      if (dateRange === null) return [`${operationId}.json`];
      const windowDays = dateRange.maxDays + 1;
      const windows = Array.from({ length: Math.ceil(28 / windowDays) }, (_, index) => 20_260_201 + index * windowDays);
      return windows.map((start) => `${operationId}-${start}.json`);
    });
    expect(names.sort()).toEqual(expected.sort());
  });

  it('are written by the command, for a vehicle of another owner, the same as in-process, also when its reader leaves early', async () => {
    const [of, month] = ['SANDB0XB000000004', '2026-03'];
    const exported = async (leaves: boolean) => {
      const folder = temporaryFolder();
      const command = startCommand(['export', '--vin', of, '--month', month, '--out', folder]);
      if (leaves) command.process.stdout.destroy();
      expect([await command.ended, command.output.stderr]).toEqual([0, '']);
      return readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
    };
    const fixtures = new Map<string, string>();
    for await (const { name, text } of exportFixtures({ vin: of, month })) fixtures.set(name, text);
    for (const leaves of [false, true]) {
      const files = await exported(leaves);
      expect(files).toHaveLength(fixtures.size);
      for (const { name, text } of files) expect(text === fixtures.get(name), name).toBe(true);
    }
  });
});
