import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mutatedRequest, randomFrom } from '../bench/safety/mutate.ts';
import { recognize } from '../src/node/fast-path/recognize.js';
import { plannedHeaders } from '../src/request/plan-request.js';
import { RawCaller, statusOf } from './support/raw-client.ts';

// Node's own server stands for another reader: what the strict reader accepts, it must understand in the same way.
const server = createServer({ insecureHTTPParser: false }, (request, response) => {
  const { host, brand, authorization } = request.headers;
  response.end(JSON.stringify({ method: request.method, target: request.url, host, brand, authorization }));
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('what the fast path recognizes, another reader understands in the same way', async () => {
  let accepted = 0;
  const property = fc.asyncProperty(fc.nat(), async (seed) => {
    const text = mutatedRequest(randomFrom(seed)).toString('latin1');
    const stop = text.indexOf('\r\n\r\n');
    const head = stop === -1 ? null : recognize(Buffer.from(text.slice(0, stop + 4), 'latin1'), plannedHeaders());
    if (head === null) return;
    accepted++;
    const client = new RawCaller(port);
    client.send(text.slice(0, stop + 4));
    const [answer] = await client.answers(1);
    client.close();
    expect([text.slice(0, stop), statusOf(answer)]).toEqual([text.slice(0, stop), 200]);
    const other = JSON.parse(answer?.body.toString() ?? '') as Record<string, string | undefined>;
    expect(other).toEqual({
      method: head.method,
      target: head.target,
      ...(head.headers.has('host') ? { host: head.headers.get('host') } : {}),
      ...(head.headers.has('brand') ? { brand: head.headers.get('brand') } : {}),
      ...(head.headers.has('authorization') ? { authorization: head.headers.get('authorization') } : {}),
    });
  });
  await fc.assert(property, { numRuns: 2000, seed: 7 });
  expect(accepted).toBeGreaterThan(200);
}, 60_000);
