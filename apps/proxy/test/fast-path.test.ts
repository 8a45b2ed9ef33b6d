import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProxy, type TestProxy } from './support/proxy.ts';
import { RawClient, statusOf } from './support/raw-client.ts';
import { valuesOf } from './support/read-messages.ts';
import { type RecordingUpstream, startRecordingUpstream } from './support/recording-upstream.ts';
import { bytesOf, readStories } from './support/scenario-files.ts';

let upstream: RecordingUpstream;
let proxy: TestProxy;
beforeAll(async () => {
  upstream = await startRecordingUpstream();
  proxy = await openProxy({ upstreamUrl: upstream.url }, { fastPath: true, headMs: 1000 });
});
afterAll(async () => {
  await proxy.close();
  await upstream.close();
});

const good = (id: string) =>
  `GET /v1/vehicles/consent HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nX-Request-Id: ${id}\r\n\r\n`;

/** Sends pieces, each after the one before has left, and gives the responses in short. */
async function play(pieces: readonly Buffer[], count: number): Promise<readonly string[]> {
  const client = new RawClient(proxy.port);
  try {
    client.socket.setNoDelay(true);
    for (const piece of pieces) {
      client.send(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const responses = await client.responses(count, 5000);
    return responses.map(
      (response) =>
        `${statusOf(response)} ${response.body.toString().replace(/"timestamp":"[^"]+"|"requestId":"[^"]+"/g, '')}`,
    );
  } finally {
    client.close();
  }
}

const cut = (bytes: Buffer, at: number) => [bytes.subarray(0, at), bytes.subarray(at)];

describe('bytes that are cut anywhere', () => {
  it('are the same requests: two good ones, at every byte', async () => {
    const bytes = Buffer.from(good('number-one') + good('number-two'), 'latin1');
    const whole = await play([bytes], 2);
    expect(whole.map((each) => each.slice(0, 3))).toEqual(['200', '200']);
    const places = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
    for (let start = 0; start < places.length; start += 16)
      for (const played of await Promise.all(places.slice(start, start + 16).map((at) => play(cut(bytes, at), 2))))
        expect(played).toEqual(whole);
  }, 60_000);

  it('are the same requests: a sample of the scenarios, each at four places', async () => {
    const cases = readStories().flatMap((story) => story.cases.map((each) => bytesOf(story, each, 'token')));
    const sample = cases.filter((bytes, index) => index % 9 === 0 && bytes.length > 8 && bytes.length < 4000);
    expect(sample.length).toBeGreaterThan(30);
    for (const bytes of sample) {
      // One response at most is compared, and a head that never ends is none.
      if (!bytes.includes('\r\n\r\n') || bytes.toString('latin1').startsWith('HEAD')) continue;
      const whole = await play([bytes], 1);
      for (const share of [0.1, 0.4, 0.7, 0.95])
        expect(await play(cut(bytes, Math.max(1, Math.floor(bytes.length * share))), 1)).toEqual(whole);
    }
  }, 60_000);
});

it('a connection passes from the fast path to Node with a request under way, in order', async () => {
  const client = new RawClient(proxy.port);
  client.send(good('number-one'));
  await client.responses(1);
  client.send(good('number-two'));
  await new Promise((resolve) => setImmediate(resolve));
  client.send(`GET /healthz HTTP/1.1\r\nHost: p\r\n\r\n${good('number-four')}`);
  const responses = await client.responses(4);
  const ids = responses.map((response) => valuesOf(response, 'x-request-id')[0]);
  expect([ids[0], ids[1], ids[3]]).toEqual(['number-one', 'number-two', 'number-four']);
  expect(responses[2]?.body.toString()).toBe('{"status":"ok"}');
  client.close();
});
