import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createVehicleDataClient } from '@vehicle-data/client';
import { expect, onTestFinished, test } from 'vitest';
import { repository, startApp } from './apps.ts';

const vin = 'SANDB0XA000000001';

/** A token endpoint in the form of RFC 6749 that issues the token which the sandbox knows. */
async function startTokenEndpoint(): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: 'demo-access-token', token_type: 'Bearer', expires_in: 3600 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
}

test('an application with an API key alone uses a proxy that gets the access token itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vehicle-data-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const keysFile = join(folder, 'keys.json');
  const program = [`${repository}/apps/proxy/dist/node.js`, 'keys', 'create', '--keys-file', keysFile, '--name', 'app'];
  const { stdout } = await promisify(execFile)(process.execPath, [...program, '--read-only']);
  const [apiKey = ''] = /vds_\S+/.exec(stdout) ?? [];
  const sandbox = await startApp('sandbox', {});
  const { address } = await startApp('proxy', {
    VDS_UPSTREAM_URL: sandbox.address,
    VDS_CLIENT_AUTH: 'api-key',
    VDS_KEYS_FILE: keysFile,
    VDS_UPSTREAM_AUTH: 'token-endpoint',
    VDS_TOKEN_URL: await startTokenEndpoint(),
    VDS_CLIENT_ID: 'me',
    VDS_CLIENT_SECRET: 'secret-of-this-test',
  });

  const client = createVehicleDataClient({ baseUrl: address, brand: 'brand_a', apiKey });
  expect((await client.listVehicles()).vehicles.length).toBeGreaterThan(0);
  expect((await client.getLocation({ vin })).location).toHaveProperty('latitude');
  const trips = client.trips.driving({ vin, from: '2026-03-02', to: '2026-03-02' });
  expect((await trips.next()).value).toHaveProperty('triggerStartTime');

  await expect(client.stopSharing({ vin })).rejects.toMatchObject({
    name: 'CredentialsError',
    code: 'operation-not-allowed',
    mayHaveTakenEffect: false,
  });
  const stranger = client.with({ apiKey: 'vds_unknown' });
  await expect(stranger.getLocation({ vin })).rejects.toMatchObject({ code: 'invalid-client-credentials' });
});
