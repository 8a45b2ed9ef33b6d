import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSandbox } from '../src/index.js';
import { sandboxHandler } from '../src/msw.js';
import { sandboxAddress, sandboxContainer } from '../src/testcontainers.js';
import { useSandbox } from '../src/vitest.js';
import { control, locations, outcome, send, served, vin } from './calls.js';

describe('useSandbox', () => {
  const sandbox = useSandbox({ now: new Date('2026-03-09T07:00:00Z'), frozen: true });

  it('gives a sandbox that a test may change', async () => {
    sandbox.faults.add({ kind: 'error', code: '5001' });
    await sandbox.consents.set(vin, 'withdrawn');
    sandbox.clock.advance(3_600_000);
    expect((await send(sandbox, locations)).status).toBe(500);
  });

  it('is as new in the next test', async () => {
    expect((await send(sandbox, locations)).json.meta.timestamp).toBe('2026-03-09T07:00:00.000Z');
  });
});

describe('the handler of Mock Service Worker', () => {
  const server = setupServer(sandboxHandler(createSandbox(), 'https://api.vehicle-data.invalid/prefix'));
  beforeAll(() => server.listen());
  afterAll(() => server.close());

  it('responds to what an application sends to the address of the service', async () => {
    const service = { fetch, base: 'https://api.vehicle-data.invalid/prefix' };
    expect((await send(service, locations)).json.data).toMatchObject({ location: expect.anything() });
    expect((await send(service, `/v1/vehicles/consent?vin=${vin}`, { method: 'DELETE' })).status).toBe(200);
    expect(await outcome(send(service, '/v1/vehicles/consent?', { method: 'DELETE' }))).toBe('4002');
  });
});

it('a container of the image is configured so that the sandbox in it can be called from outside', async () => {
  const fake = { withExposedPorts: vi.fn().mockReturnThis(), withCommand: vi.fn().mockReturnThis() };
  expect(sandboxContainer(fake, { seed: 7, vehicles: 30 })).toBe(fake);
  const [exposed] = fake.withExposedPorts.mock.lastCall ?? [];
  const [command] = fake.withCommand.mock.lastCall ?? [];
  expect(command).toContain('0.0.0.0');
  // The same command runs as a process on a free port.
  const { base } = await served(command.map((part: string) => (part === String(exposed) ? '0' : part)));
  const getMappedPort = (inside: number) => (inside === exposed ? Number(new URL(base).port) : Number.NaN);
  const target = { fetch, base: sandboxAddress({ getHost: () => '127.0.0.1', getMappedPort }) };
  expect((await control(target, 'state', undefined, 'GET')).json).toMatchObject({ seed: 7 });
  expect((await control(target, 'vehicles', undefined, 'GET')).json.vehicles).toHaveLength(30);
});

// A container engine is not at hand here; the steps of the Dockerfile are tried by hand in a copy of the repository.
it('the Dockerfile uses the package manager of the repository, starts the command as a user that is not root, and checks its health', async () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const { packageManager } = JSON.parse(read('../../../package.json')) as { packageManager: string };
  const { bin } = JSON.parse(read('../package.json')) as { bin: Readonly<Record<string, string>> };
  const lines = read('../Dockerfile').split('\n');
  expect(lines).toContain(`RUN npx --yes ${packageManager} install --frozen-lockfile \\`);
  expect(lines).toContain('USER node');
  expect(lines).toContain(`ENTRYPOINT ["node", "${bin['vds-sandbox']?.replace('.', '/app')}"]`);
  const [, ...list] = JSON.parse(lines.find((line) => line.startsWith('  CMD '))?.slice(6) ?? '[]') as string[];
  const { port } = new URL((await served()).base);
  for (const env of [{ PORT: port }, { VDS_SANDBOX_PORT: port, PORT: '1' }])
    expect(spawnSync(process.execPath, list, { env }).status).toBe(0);
});
