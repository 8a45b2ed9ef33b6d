import { afterEach, describe, expect, it } from 'vitest';
import type { UpstreamAuth } from '../src/config.js';
import { startProxy } from './support/proxy.ts';
import { RawCaller, statusOf } from './support/raw-client.ts';
import { answerSuccess, startRecordingUpstream } from './support/recording-upstream.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function statusFor(upstreamAuth: UpstreamAuth, host: string): Promise<number> {
  const upstream = await startRecordingUpstream(answerSuccess);
  // As the program sets it where clients are not authenticated; `test/settings.test.ts` shows that it does.
  const proxy = await startProxy({ upstreamUrl: upstream.url, upstreamAuth, localHostOnly: true });
  const client = new RawCaller(proxy.port);
  cleanUp.push(
    () => upstream.close(),
    () => proxy.close(),
    () => client.close(),
  );
  client.send(`GET /v1/vehicles/consent HTTP/1.1\r\nHost: ${host}\r\nBrand: brand_a\r\n\r\n`);
  const status = statusOf((await client.answers(1))[0]);
  expect(upstream.requests()).toHaveLength(status === 200 ? 1 : 0);
  return status;
}

const ownToken = { kind: 'static', accessToken: 'own-token' } as const;

describe('a proxy that adds its token for anybody on this machine', () => {
  it.each(['localhost', 'localhost:8787', '127.0.0.1:8787', '[::1]:8787', 'LOCALHOST'])(
    'answers when it is called %s',
    async (host) => {
      expect(await statusFor(ownToken, host)).toBe(200);
    },
  );

  it.each(['evil.test', 'evil.test:8787', 'localhost.evil.test', '127.0.0.1.evil.test', '10.0.0.1'])(
    'refuses when it is called %s, as by a web page whose name was made to point here',
    async (host) => {
      expect(await statusFor(ownToken, host)).toBe(400);
    },
  );
});

it('a proxy that forwards tokens of clients answers to any name', async () => {
  expect(await statusFor({ kind: 'forward' }, 'proxy.example.test')).toBe(200);
});
