import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { listen } from './support/listen.ts';
import { startProxy } from './support/proxy.ts';
import { RawCaller, statusOf } from './support/raw-client.ts';
import { successBody } from './support/recording-upstream.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

it('as many connections to the service are kept as were at work at once: 400 clients cost 400, however often they call', async () => {
  const clients = 400;
  const connections = new Set<Socket>();
  const waiting: ServerResponse[] = [];
  const service = await listen((request, response) => {
    connections.add(request.socket);
    waiting.push(response);
    if (waiting.length < clients) return;
    for (const each of waiting.splice(0)) each.setHeader('content-type', 'application/json').end(successBody());
  });
  cleanUp.push(() => service.close());
  const proxy = await startProxy({ upstreamUrl: service.url, deadlineMs: 20_000 });
  cleanUp.push(() => proxy.close());

  const all = Array.from({ length: clients }, () => new RawCaller(proxy.port));
  cleanUp.push(() => Promise.all(all.map((client) => client.close())));
  for (let round = 1; round <= 3; round++) {
    for (const client of all) {
      client.send('GET /v1/vehicles/consent HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nAuthorization: Bearer t\r\n\r\n');
    }
    const answers = await Promise.all(all.map((client) => client.answers(round)));
    expect(new Set(answers.map((given) => statusOf(given.at(-1))))).toEqual(new Set([200]));
  }
  expect(connections.size).toBe(clients);
}, 60_000);
