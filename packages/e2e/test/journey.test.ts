// SDK → proxy → sandbox
import { createVehicleDataClient } from '@vehicle-data/client';
import { type Brand, operations } from '@vehicle-data/openapi';
import { validateResponse } from '@vehicle-data/validators';
import { expect, test } from 'vitest';
import { accessToken, repository, run, serve, startApp, startService, temporaryFolder } from './apps.ts';

const brands: readonly [Brand, Brand, Brand] = operations.listVehicles.parameters[0].rule.enum;
const [brand, ...otherBrands] = brands;
const week = { startDate: '20260302', endDate: '20260309' };

const { sandbox, proxy } = await startService({ VDS_ALLOW_STOP_ALL: 'true' });
// Every response on the way is a response of the contract.
const validate = { mode: 'enforce', responses: validateResponse } as const;
const client = createVehicleDataClient({ baseUrl: proxy.address, brand, accessToken, validate });
const sharing = async (ofBrand: Brand = brand) =>
  (await client.listVehicles({ brand: ofBrand })).vehicles.map(({ vin }) => vin);

test('all six operations work, and a withdrawal takes one vehicle away and leaves the others', async () => {
  const before = await sharing();
  const elsewhere = await Promise.all(otherBrands.map(sharing));
  const [gone = '', stays = ''] = before;
  const { trips } = await client.getDrivingData({ vin: gone, ...week });
  expect(trips[0]?.odometer?.value?.length).toBeGreaterThan(60);
  const powertrain = await client.getPowertrainData({ vin: gone, ...week, zoneId: 'Europe/Berlin' });
  expect(powertrain.trips.length).toBeGreaterThan(0);
  expect((await client.getLocation({ vin: gone })).location.latitude).toBeTypeOf('number');
  expect((await client.getCurrentStatus({ vin: gone })).odometer?.value).toBeGreaterThan(0);

  await client.stopSharing({ vin: gone });

  expect(await sharing()).toEqual(before.filter((vin) => vin !== gone));
  const rejected = { name: 'ConsentError', code: '5006', resolution: 'ask-consent' };
  await expect(client.getLocation({ vin: gone })).rejects.toMatchObject(rejected);
  await expect(client.getDrivingData({ vin: gone, ...week })).rejects.toMatchObject(rejected);
  expect(await client.getLocation({ vin: stays })).toHaveProperty('location');

  await client.stopSharingForAllVehicles({ brand });

  expect(await sharing()).toEqual([]);
  expect(await Promise.all(otherBrands.map(sharing))).toEqual(elsewhere);
  expect(elsewhere.every((vins) => vins.length > 0)).toBe(true);
  for (const secret of [accessToken, ...before]) {
    expect(sandbox.output()).not.toContain(secret);
    expect(proxy.output()).not.toContain(secret);
  }
});

test('the consent life cycle runs as the Arazzo workflow describes it', async () => {
  const folder = `${repository}/openapi`;
  const workflow = 'workflows/consent-life-cycle.arazzo.yaml';
  // Redocly masks the token in every response that it might print: a long response takes it seconds.
  const oneDay = { startDate: week.startDate, endDate: week.startDate };
  const input = JSON.stringify({ accessToken, brand, ...oneDay });
  const args = ['respect', workflow, '--server', `service=${proxy.address}`, '--input', input];
  const { stdout, stderr } = await run(`${folder}/node_modules/.bin/redocly`, args, { cwd: folder });
  expect(`${stdout}${stderr}`).toMatch(/Workflows: 1 passed, 1 total[\s\S]*Steps: 9 passed, 9 total/);
});

test('an application with an API key alone uses a proxy that gets the access token itself', async () => {
  const keysFile = `${await temporaryFolder()}/keys.json`;
  const program = [`${repository}/apps/proxy/dist/node.js`, 'keys', 'create', '--keys-file', keysFile, '--name', 'app'];
  const { stdout } = await run(process.execPath, [...program, '--read-only']);
  const [apiKey = ''] = /vds_\S+/.exec(stdout) ?? [];
  // A token endpoint in the form of RFC 6749 that issues the token which the sandbox knows.
  const tokenEndpoint = await serve((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: accessToken, token_type: 'Bearer', expires_in: 3600 }));
  });
  const { address: baseUrl } = await startApp('proxy', {
    VDS_UPSTREAM_URL: sandbox.address,
    VDS_CLIENT_AUTH: 'api-key',
    VDS_KEYS_FILE: keysFile,
    VDS_UPSTREAM_AUTH: 'token-endpoint',
    VDS_TOKEN_URL: `${tokenEndpoint}/token`,
    VDS_CLIENT_ID: 'me',
    VDS_CLIENT_SECRET: 'secret-of-this-test',
  });

  const application = createVehicleDataClient({ baseUrl, brand, apiKey });
  const { vin = '' } = (await application.listVehicles()).vehicles[0] ?? {};
  expect((await application.getLocation({ vin })).location).toHaveProperty('latitude');
  const trips = application.trips.driving({ vin, from: '2026-03-02', to: '2026-03-02' });
  expect((await trips.next()).value).toHaveProperty('triggerStartTime');
  const notAllowed = { name: 'CredentialsError', code: 'operation-not-allowed', mayHaveTakenEffect: false };
  await expect(application.stopSharing({ vin })).rejects.toMatchObject(notAllowed);
  const stranger = application.with({ apiKey: 'vds_unknown' });
  await expect(stranger.getLocation({ vin })).rejects.toMatchObject({ code: 'invalid-client-credentials' });
});
