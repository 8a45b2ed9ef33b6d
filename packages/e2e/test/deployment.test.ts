// A deployment with brands of its own and several tenants: sandbox, proxy, SDK and vds together, without an edit of the contract.
import { mkdir, writeFile } from 'node:fs/promises';
import { createVehicleDataClient, type VehicleDataError } from '@vehicle-data/client';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { accessToken, control, repository, startApp, startProgram, temporaryFolder } from './apps.ts';
import { vds } from './vds.ts';

const brands = ['acme', 'zenith'] as const;
const sandbox = await startProgram(
  [`${repository}/apps/sandbox/dist/node.js`, '--port', '0', '--brands', brands.join()],
  {},
  afterAll,
);
const proxy = await startApp(
  'proxy',
  { VDS_UPSTREAM_URL: sandbox.address, VDS_BRANDS: brands.join(), VDS_ALLOW_STOP_ALL: 'true' },
  repository,
  afterAll,
);
beforeEach(async () => void (await control(sandbox, 'reset')));

const service = createVehicleDataClient({ baseUrl: proxy.address, brands, maxRetries: 0 });
const errorOf = (call: Promise<unknown>): Promise<VehicleDataError> =>
  call.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error: VehicleDataError) => error,
  );

test('vehicles of each brand are listed, read and withdrawn, and a brand of the contract is rejected', async () => {
  const [acme, zenith] = brands.map((brand) => service.with({ brand, accessToken }));
  if (!acme || !zenith) throw new Error('there are two brands');
  const ofAcme = (await acme.listVehicles()).vehicles.map(({ vin }) => vin);
  const ofZenith = (await zenith.listVehicles()).vehicles.map(({ vin }) => vin);
  expect(ofAcme.length).toBeGreaterThan(1);
  expect(ofAcme.filter((vin) => ofZenith.includes(vin))).toEqual([]);
  const [vin = '', ...others] = ofAcme;
  expect((await acme.getLocation({ vin })).location).toHaveProperty('latitude');
  const trips = await acme.trips.driving({ vin, from: '2026-03-02', to: '2026-03-12' }).toArray({ limit: 3 });
  expect(trips).toHaveLength(3);

  await acme.stopSharing({ vin });
  expect(await acme.consents.changes(ofAcme)).toMatchObject({ joined: [], left: [vin] });
  await acme.stopSharingForAllVehicles({ brand: 'acme' });
  expect((await acme.consents.changes(others)).left.toSorted()).toEqual(others.toSorted());
  expect((await zenith.consents.changes(ofZenith)).left).toEqual([]);

  const untold = createVehicleDataClient({ baseUrl: proxy.address, brand: 'brand_a', accessToken });
  expect(await errorOf(untold.listVehicles())).toMatchObject({ code: '4002', details: [{ name: 'Brand' }] });
});

test('vds keeps the brands in its profile', async () => {
  const folder = await temporaryFolder();
  const tokenFile = `${folder}/token`;
  await writeFile(tokenFile, accessToken, { mode: 0o600 });
  const config = `${folder}/config`;
  await mkdir(config, { mode: 0o700 });
  const profile = { baseUrl: proxy.address, brands, brand: 'zenith' };
  await writeFile(`${config}/config.json`, JSON.stringify({ profiles: { default: profile } }), { mode: 0o600 });
  const env = { HOME: folder, VDS_CONFIG_DIR: config, VDS_ACCESS_TOKEN_FILE: tokenFile };
  const { stdout } = await vds(['vehicles', 'list'], env);
  const { vehicles } = await service.with({ brand: 'zenith', accessToken }).listVehicles();
  const listed = stdout
    .trim()
    .split('\n')
    .map((line): { vin: string } => JSON.parse(line));
  expect(listed.map(({ vin }) => vin)).toEqual(vehicles.map(({ vin }) => vin));
  expect((await vds(['--brand', 'acme', 'vehicles', 'list'], env)).stdout).not.toBe(stdout);
  expect(await vds(['--brand', 'brand_a', 'vehicles', 'list'], env)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('Use one of acme, zenith'),
  });
});

describe('two tenants of one client', () => {
  const fault = (body: object) => control(sandbox, 'faults', body);

  test('have rate limits of their own', async () => {
    const [one, other] = [service.with({ brand: 'acme', accessToken }), service.with({ brand: 'zenith', accessToken })];
    await fault({ kind: 'error', code: '429', retryAfterSeconds: 60, times: 1 });
    expect(await errorOf(one.listVehicles())).toMatchObject({ name: 'RateLimitError', retryAfterMs: 60_000 });
    expect((await other.listVehicles()).vehicles.length).toBeGreaterThan(0);
    expect((await errorOf(one.listVehicles())).message).toContain('a rate limit outlasts the call');
  });

  test('have refreshes of their own, one for all requests of a user, with refresh tokens that work once', async () => {
    const refreshes: number[] = [];
    const userOf = async (brand: (typeof brands)[number]) => {
      const code = await (await control(sandbox, 'oauth/code', { owner: 'demo' })).json();
      let tokens = await grant(brand, code);
      return {
        brand,
        accessToken: async ({ refresh }: { readonly refresh: boolean }) => {
          if (refresh) {
            refreshes.push(brands.indexOf(brand));
            tokens = await grant(brand, { refreshToken: tokens.refreshToken });
          }
          return tokens.accessToken;
        },
      };
    };
    const grant = async (brand: string, body: object): Promise<{ accessToken: string; refreshToken: string }> => {
      const client = { clientId: 'demo-client', clientSecret: 'demo-secret' };
      const headers = { Brand: brand, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify({ ...client, ...body }) };
      const response = await fetch(`${sandbox.address}/sandbox/oauth/token`, init);
      const envelope = await response.json();
      return envelope.data ?? envelope;
    };
    const users = await Promise.all(brands.map(userOf));
    await control(sandbox, 'clock', { advanceSeconds: 3_700 });
    const requests = users.flatMap((user) =>
      Array.from({ length: 5 }, () => service.with({ ...user, tag: user.brand }).listVehicles()),
    );
    for (const { vehicles } of await Promise.all(requests)) expect(vehicles.length).toBeGreaterThan(0);
    expect(refreshes.toSorted()).toEqual([0, 1]);
  });

  test('lose no data where the address is retired', async () => {
    const direct = createVehicleDataClient({
      baseUrl: sandbox.address,
      brands,
      brand: 'acme',
      accessToken,
      maxRetries: 0,
    });
    const known = (await direct.listVehicles()).vehicles.map(({ vin }) => vin);
    await fault({ kind: 'status', status: 410 });
    for (const call of [direct.listVehicles(), direct.consents.changes(known)]) {
      expect(await errorOf(call)).toMatchObject({
        name: 'InvalidRequestError',
        status: 410,
        resolution: 'fix-request',
      });
    }
  });
});
