import { afterEach, expect, it, vi } from 'vitest';
import { listen } from './support/listen.ts';
import { successBody } from './support/recording-upstream.ts';
import { oauthAnswer, startTokenEndpoint } from './support/token-endpoint.ts';
import { isolate, Objects } from './support/worker-objects.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

const vin = 'TESTVEHCLE0000001';
const location = `/v1/vehicles/${vin}/locations`;
const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

async function service() {
  const data = { location: { latitude: 91.5, longitude: 8.25, speed: { value: 1, unit: 'kph' } } };
  const upstream = await listen((request, response) => {
    const body = request.url?.endsWith('locations') ? successBody(data) : successBody();
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  cleanUp.push(upstream.close);
  return { VDS_HOST: '127.0.0.1', VDS_UPSTREAM_URL: upstream.url };
}

/** What the Worker writes into its log. */
function logged() {
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  cleanUp.push(() => spy.mockRestore());
  const objects = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { lines, objects };
}

it('a Worker logs one line of JSON a call, as the program does', async () => {
  const log = logged();
  const call = await isolate({ ...(await service()), VDS_VALIDATE_RESPONSES: 'off', VDS_LOG_LEVEL: 'debug' });
  await call(location, { authorization: 'Bearer secret-7', traceparent: parent });
  await call(`${location}?zebra=1`, { authorization: 'Bearer secret-7' });
  const template = '/v1/vehicles/{vin}/locations';
  const traceId = parent.slice(3, 35);
  expect(log.objects()).toMatchObject([
    { method: 'GET', template, status: 200, code: '', traceId, attempts: 1 },
    { method: 'GET', template, status: 400, code: '4002' },
  ]);
  expect(log.lines.join()).not.toMatch(/TESTVEHCLE|secret-7|zebra|8\.25/);
});

it.each([
  ['silent', 0],
  ['error', 0],
  ['info', 1],
])('a Worker with the log level %s logs %i lines for a good call', async (level, lines) => {
  const log = logged();
  const call = await isolate({ ...(await service()), VDS_LOG_LEVEL: level });
  await call(undefined, { authorization: 'Bearer x' });
  expect(log.lines).toHaveLength(lines);
});

it('a Worker logs every deviation from the contract once, by place, without a value', async () => {
  const log = logged();
  const call = await isolate({ ...(await service()), VDS_LOG_LEVEL: 'error' });
  for (let round = 0; round < 3; round++) await call(location, { authorization: 'Bearer x' });
  const places = log.objects().map(({ drift }) => (drift as { pointer: string }).pointer);
  expect(places).toContain('/data/location/latitude');
  expect(new Set(places).size).toBe(places.length);
  expect(log.lines.join()).not.toMatch(/91\.5|8\.25|TESTVEHCLE/);
});

it('a Worker logs how its tokens stand, with the day of renewal and never a value, whenever that changes', async () => {
  const log = logged();
  const issuer = await startTokenEndpoint((_, count) =>
    count === 1
      ? { status: 500, body: '' }
      : oauthAnswer('token-zebra', { expires_in: 3600, refresh_token: 'refresh-zebra' }),
  );
  cleanUp.push(issuer.close);
  const settings = {
    ...(await service()),
    VDS_UPSTREAM_AUTH: 'token-endpoint',
    VDS_TOKEN_URL: issuer.url,
    VDS_TOKEN_GRANT: 'refresh-token',
    VDS_REFRESH_TOKEN: 'first-zebra',
    VDS_CLIENT_ID: 'me',
    VDS_STORE: 'durable-object',
    VDS_LOG_LEVEL: 'error',
  };
  const call = await isolate({ ...settings, VDS_STATE: new Objects(settings) });
  expect((await call()).status).toBe(503);
  await expect.poll(async () => (await call()).status, { timeout: 5000 }).toBe(200);
  const states = log.objects().flatMap(({ token }) => (token === undefined ? [] : [token]));
  const renewal = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
  expect(states).toEqual([
    { brand: 'brand_a', state: 'failing', renewConsentBy: null, lastFailure: 'invalid-response' },
    { brand: 'brand_a', state: 'valid', renewConsentBy: renewal, lastFailure: null },
  ]);
  expect(log.lines.join()).not.toContain('zebra');
});

it('a Worker writes one data point a call into the dataset that is bound, without a VIN', async () => {
  logged();
  const points: unknown[] = [];
  const VDS_ANALYTICS = { writeDataPoint: (point: unknown) => void points.push(point) };
  const call = await isolate({ ...(await service()), VDS_ANALYTICS });
  await call(location, { authorization: 'Bearer secret-7' });
  await call(location, {}, 'ZEBRA');
  const template = '/v1/vehicles/{vin}/locations';
  const number = expect.any(Number);
  expect(points).toEqual([
    { indexes: [template], blobs: ['GET', template, '', ''], doubles: [200, number, 1, number] },
    { indexes: [template], blobs: ['-', template, 'method-not-allowed', ''], doubles: [405, number, 0, 0] },
  ]);
  expect(JSON.stringify(points)).not.toMatch(/TESTVEHCLE|secret-7|ZEBRA/);
});

it('a Worker says how long the service took, when that is switched on', async () => {
  logged();
  const call = await isolate({ ...(await service()), VDS_SERVER_TIMING: 'true' });
  expect((await call(location, { authorization: 'Bearer x' })).headers.get('server-timing')).toMatch(/^service;dur=\d/);
});
