import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCommand } from '../src/config/command.js';
import { createSandbox, exportFixtures } from '../src/index.js';
import { control, locations, outcome, send, served, startCommand, temporaryFolder, vin } from './calls.js';

describe('vds-sandbox', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'says one line when it is ready, and ends cleanly on %s while a call hangs',
    async (signal) => {
      const sandbox = await served();
      const { base, command } = sandbox;
      expect((await send(sandbox, '/v1/vehicles/consent')).status).toBe(200);
      // A call that hangs in a stalled body does not hold the end up.
      await control(sandbox, 'faults', { kind: 'stalled-body' });
      const hanging = await fetch(`${base}/v1/vehicles/consent`);
      const body = hanging.text().catch(() => 'broken');
      command.process.kill(signal);
      expect([await command.ended, await body]).toEqual([0, 'broken']);
      expect(command.output).toEqual({ stdout: `sandbox listening on ${base}\n`, stderr: '' });
    },
  );

  it.each([
    {
      host: 'localhost',
      environment: { VDS_SANDBOX_HOST: 'localhost', VDS_SANDBOX_PORT: '0', HOST: '127.0.0.1', PORT: '1' },
    },
    { host: 'localhost', environment: { VDS_SANDBOX_HOST: '', VDS_SANDBOX_PORT: '', HOST: 'localhost', PORT: '0' } },
    { host: '127.0.0.1', environment: { VDS_SANDBOX_HOST: '', VDS_SANDBOX_PORT: '0', HOST: '' } },
  ])(
    'reads from variables where it listens, of which an empty one is unset: on $host with $environment',
    ({ host, environment }) => {
      expect(readCommand([], environment)).toMatchObject({ host, port: 0, mistakes: [] });
    },
  );

  it('listens where variables say', async () => {
    const { hostname, port } = new URL(
      (await served([], { VDS_SANDBOX_HOST: 'localhost', VDS_SANDBOX_PORT: '0' })).base,
    );
    expect([hostname, Number(port) > 1]).toEqual(['localhost', true]);
  });

  const inOneLine = /^(?!.*UNKNOWN)[^\n{]+$/;
  it.each([
    { story: 'an option that it does not have', args: ['--prot', 'UNKNOWN'] },
    { story: 'a port that is none', args: ['--port', '70000'] },
    { story: 'a host that is empty', args: ['--host', '', '--port', '0'] },
  ])('finds a mistake, which it says in one line that does not repeat it: $story', ({ args }) => {
    expect(readCommand(args, {}).mistakes).toEqual([expect.stringMatching(inOneLine)]);
  });

  it.each([
    { story: 'a VIN that no vehicle has', of: { vin: 'UNKNOWN0000000000', month: '2026-03' } },
    { story: 'an export without a month', of: { vin, month: '' } },
  ])('exports nothing after a mistake, which it says in one line that does not repeat it: $story', async ({ of }) => {
    await expect(exportFixtures(of).next()).rejects.toThrow(inOneLine);
  });

  it.each([
    { story: 'not JSON', state: 'half of {UNKNOWN' },
    { story: 'of another version', state: '{"version":99,"consents":{"UNKNOWN":"never"},"tokens":{}}' },
    { story: 'with an unknown consent', state: '{"version":1,"consents":{"UNKNOWN":"maybe"},"tokens":{}}' },
  ])('starts with no state that is damaged, which it says in one line that does not repeat it: $story', ({ state }) => {
    expect(() => createSandbox({ state: { load: () => state, save() {} } })).toThrow(inOneLine);
  });

  it.each([
    { story: 'an option that it does not have', args: () => ['--prot', '1'] },
    { story: 'an export without a month', args: () => ['export', '--vin', vin] },
    {
      story: 'a state that is not JSON',
      args: () => {
        const file = join(temporaryFolder(), 'state.json');
        writeFileSync(file, 'half of {UNKNOWN');
        return ['--port', '0', '--state', file];
      },
    },
  ])('ends with 1 and one line after a mistake: $story', async ({ args }) => {
    const command = startCommand(args());
    expect(await command.ended).toBe(1);
    expect(command.output.stderr).toMatch(/^vds-sandbox: (?!.*UNKNOWN)[^\n{]+\n$/);
  });

  it('prints the version of its package', async () => {
    const command = startCommand(['--version']);
    expect(await command.ended).toBe(0);
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(command.output).toEqual({ stdout: `${version}\n`, stderr: '' });
  });

  it('reports in one line that its port is in use', async () => {
    const { port } = new URL((await served()).base);
    const command = startCommand(['--port', port]);
    expect(await command.ended).toBe(1);
    const stderr = `vds-sandbox: port ${port} on 127.0.0.1 is in use; choose another with --port\n`;
    expect(command.output).toEqual({ stdout: '', stderr });
  });
});

describe('the state file', () => {
  it('survives kill -9 at any moment: it is whole, and every change that got its response holds after the restart', async () => {
    const state = join(temporaryFolder(), 'state.json');
    const codes: string[] = [];
    for (let round = 0; round < 5; round++) {
      const sandbox = await served(['--state', state]);
      const { command } = sandbox;
      if (round === 0) await send(sandbox, `/v1/vehicles/consent?vin=${vin}`, { method: 'DELETE' });
      for (let changes = 1; ; changes++) {
        const change = await control(sandbox, 'oauth/code', {}).catch(() => null);
        if (change === null) break;
        codes.push(change.json.code);
        // While the next changes are under way, at another moment of them each time.
        if (changes === 3 + round) setTimeout(() => command.process.kill('SIGKILL'), round * 1.1);
      }
      expect(await command.ended).toBe(null);
    }
    expect(codes.length).toBeGreaterThan(3 * 5);
    const again = await served(['--state', state]);
    expect(await outcome(send(again, locations))).toBe('5006');
    const client = { clientId: 'demo-client', clientSecret: 'demo-secret' };
    const exchanges = codes.map((code) => outcome(control(again, 'oauth/token', { ...client, code })));
    expect(new Set(await Promise.all(exchanges))).toEqual(new Set([200]));
  });
});
