import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contractBrands } from '../src/config.js';
import { recognize } from '../src/node/fast-path/recognize.js';
import { mutatedRequest } from './support/mutated-requests.ts';
import { listen } from './support/servers.ts';
import { inTurns, startPair } from './support/set-up.ts';
import { RawClient, statusOf, valuesOf, type WireMessage } from './support/wire.ts';

const vin = '[0-9A-Za-z]{17}';
const range = 'startDate=\\d{8}&endDate=\\d{8}&zoneId=[\\w%+./-]+';
const targets = [
  'GET /v1/vehicles/consent',
  `DELETE /v1/vehicles/consent\\?vin=${vin}`,
  `GET /v1/vehicles/${vin}/(?:powertrains|driving)/data\\?${range}`,
  `GET /v1/vehicles/${vin}/(?:locations|batteries)`,
].map((target) => new RegExp(`^${target} HTTP/1\\.1$`));
const allowedNames = ['host', 'accept', 'accept-encoding', 'authorization', 'brand', 'x-request-id'];

/** What is wrong with a request that reached the upstream. */
function problemOf(message: WireMessage): string {
  const { start, headers, body } = message;
  const names = headers.map(([name]) => name);
  if (!targets.some((target) => target.test(start))) return `no call of the contract: ${start}`;
  if (new Set(names).size !== names.length) return 'a header twice';
  if (names.some((name) => !allowedNames.includes(name))) return `a header that is not allowed: ${names.join()}`;
  if (!contractBrands().includes(valuesOf(message, 'brand').join())) return 'no brand of the contract';
  if (!/^(?:Bearer [\w.~+/-]+=*)?$/.test(valuesOf(message, 'authorization').join())) return 'a token of another form';
  return body.length === 0 ? '' : 'a body';
}

it('of 3,000 mutated requests, only calls of the contract reach the upstream, each as one legal request', async () => {
  const { upstream, proxy } = await startPair();
  await inTurns(fc.sample(mutatedRequest, { numRuns: 3000, seed: 1 }), 200, async (bytes) => {
    const client = new RawClient(proxy.port);
    client.send(bytes);
    client.socket.end();
    await client.ended();
    client.close();
  });
  for (const { problem, rest } of upstream.readings()) expect([problem, rest.toString('latin1')]).toEqual(['', '']);
  const requests = upstream.requests();
  expect(requests.map(problemOf).filter((problem) => problem !== '')).toEqual([]);
  expect(requests.length).toBeGreaterThan(200);
});

// Node's own server is another reader: what the strict reader accepts, it must understand in the same way.
it('what the fast path recognizes, another reader understands in the same way', async () => {
  const url = await listen(({ method, url: target, headers: { host, brand, authorization } }, response) => {
    response.end(JSON.stringify({ method, target, host, brand, authorization }));
  });
  const port = Number(new URL(url).port);
  let accepted = 0;
  const property = fc.asyncProperty(mutatedRequest, async (bytes) => {
    const stop = bytes.indexOf('\r\n\r\n');
    const head = stop === -1 ? null : recognize(bytes.subarray(0, stop + 4));
    if (head === null) return;
    accepted++;
    const client = new RawClient(port);
    const response = await client.request(bytes.toString('latin1', 0, stop + 4));
    client.close();
    expect(statusOf(response)).toBe(200);
    const read = ['host', 'brand', 'authorization'].filter((name) => head.headers.has(name));
    const headers = Object.fromEntries(read.map((name) => [name, head.headers.get(name)]));
    const expected = { method: head.method, target: head.target, ...headers };
    expect(JSON.parse(response?.body.toString() ?? '')).toEqual(expected);
  });
  await fc.assert(property, { numRuns: 2000, seed: 7 });
  expect(accepted).toBeGreaterThan(200);
});
