import { expect, it, onTestFinished, vi } from 'vitest';
import { successBody } from './support/recording-upstream.ts';
import { locationOf, startEndpoint, startUpstream } from './support/set-up.ts';
import { oauthResponse } from './support/token-endpoint.ts';
import { isolate, Objects } from './support/worker-objects.ts';

const location = locationOf();
const template = '/v1/vehicles/{vin}/locations';
const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const authorization = 'Bearer secret-7';
const body = successBody({ location: { latitude: 91.5, longitude: 8.25, speed: { value: 1, unit: 'kph' } } });

/** A Worker with an upstream whose location violates the contract, and what it writes into its log. */
async function start(settings: Record<string, unknown> = {}) {
  const { url } = await startUpstream((request) => (request.url?.endsWith('locations') ? { body } : {}));
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  onTestFinished(() => spy.mockRestore());
  const call = await isolate({ VDS_HOST: '127.0.0.1', VDS_UPSTREAM_URL: url, ...settings });
  return { call, lines, logged: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

it('a Worker logs one line of JSON a request, as the program does', async () => {
  const { call, lines, logged } = await start({ VDS_VALIDATE_RESPONSES: 'off', VDS_LOG_LEVEL: 'debug' });
  await call(location, { authorization, traceparent: parent });
  await call(`${location}?zebra=1`, { authorization });
  expect(logged()).toMatchObject([
    { method: 'GET', template, status: 200, code: '', traceId: parent.slice(3, 35), attempts: 1 },
    { method: 'GET', template, status: 400, code: '4002' },
  ]);
  expect(lines.join()).not.toMatch(/TESTVEHCLE|secret-7|zebra|8\.25/);
});

it.each([
  ['silent', 0],
  ['error', 0],
  ['info', 1],
])('a Worker with the log level %s logs %i lines for a good request', async (level, count) => {
  const { call, lines } = await start({ VDS_LOG_LEVEL: level, VDS_SERVER_TIMING: 'true' });
  const { headers } = await call(undefined, { authorization });
  expect(headers.get('server-timing')).toMatch(/^service;dur=\d/);
  expect(lines).toHaveLength(count);
});

it('a Worker logs every violation of the contract once, by place, without a value', async () => {
  const { call, lines, logged } = await start({ VDS_LOG_LEVEL: 'error' });
  for (let round = 0; round < 3; round++) await call(location, { authorization });
  const places = logged().map(({ drift }) => (drift as { pointer: string }).pointer);
  expect(places).toContain('/data/location/latitude');
  expect(new Set(places).size).toBe(places.length);
  expect(lines.join()).not.toMatch(/91\.5|8\.25|TESTVEHCLE/);
});

it('a Worker logs the state of its tokens, with the day of renewal and never a value, whenever that changes', async () => {
  const issuer = await startEndpoint((_, count) =>
    count === 1 ? { status: 500, body: '' } : oauthResponse('token-zebra', { refresh_token: 'refresh-zebra' }),
  );
  const settings: Record<string, string> = {
    VDS_UPSTREAM_AUTH: 'token-endpoint',
    VDS_TOKEN_URL: issuer.url,
    VDS_TOKEN_GRANT: 'refresh-token',
    VDS_REFRESH_TOKEN: 'first-zebra',
    VDS_CLIENT_ID: 'me',
    VDS_STORE: 'durable-object',
    VDS_LOG_LEVEL: 'error',
  };
  const own = { VDS_HOST: '127.0.0.1', VDS_UPSTREAM_URL: 'https://upstream.invalid' };
  const { call, lines, logged } = await start({ ...settings, VDS_STATE: new Objects({ ...own, ...settings }) });
  expect((await call()).status).toBe(503);
  await expect.poll(async () => (await call()).status).toBe(200);
  const states = logged().flatMap(({ token }) => (token === undefined ? [] : [token]));
  const renewal = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
  expect(states).toEqual([
    { brand: 'brand_a', state: 'failing', renewConsentBy: null, lastFailure: 'invalid-response' },
    { brand: 'brand_a', state: 'valid', renewConsentBy: renewal, lastFailure: null },
  ]);
  expect(lines.join()).not.toContain('zebra');
});

it('a Worker writes one data point a request into the dataset that is bound, without a VIN', async () => {
  const points: unknown[] = [];
  const { call } = await start({ VDS_ANALYTICS: { writeDataPoint: (point: unknown) => void points.push(point) } });
  await call(location, { authorization });
  await call(location, {}, 'ZEBRA');
  const number = expect.any(Number);
  expect(points).toEqual([
    { indexes: [template], blobs: ['GET', template, '', ''], doubles: [200, number, 1, number] },
    { indexes: [template], blobs: ['-', template, 'method-not-allowed', ''], doubles: [405, number, 0, 0] },
  ]);
  expect(JSON.stringify(points)).not.toMatch(/TESTVEHCLE|secret-7|ZEBRA/);
});
