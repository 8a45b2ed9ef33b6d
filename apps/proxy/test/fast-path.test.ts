import { expect, it } from 'vitest';
import { bytesOf, scenarios } from './support/scenarios.ts';
import { inTurns, requestLines, startPair } from './support/set-up.ts';
import { statusOf } from './support/wire.ts';

const good = (id: string) => requestLines('GET /v1/vehicles/consent', `X-Request-Id: ${id}`);
const start = () => startPair(undefined, { fastPath: true });
type Connect = Awaited<ReturnType<typeof start>>['connect'];

/** Sends bytes in two pieces, the second after the first has left, and gives the responses in short. */
async function play(connect: Connect, bytes: Buffer, cutAt: number, count: number): Promise<readonly string[]> {
  const client = connect();
  client.socket.setNoDelay(true);
  client.send(bytes.subarray(0, cutAt));
  await new Promise((resolve) => setImmediate(resolve));
  client.send(bytes.subarray(cutAt));
  const responses = await client.responses(count);
  client.close();
  const shortened = (body: Buffer) => body.toString().replace(/"timestamp":"[^"]+"|"requestId":"[^"]+"/g, '');
  return responses.map((response) => `${statusOf(response)} ${shortened(response.body)}`);
}

it('two good requests that are cut at any byte are the same requests', async () => {
  const { connect } = await start();
  const bytes = Buffer.from(good('number-one') + good('number-two'));
  const whole = await play(connect, bytes, bytes.length, 2);
  expect(whole.map((each) => each.slice(0, 3))).toEqual(['200', '200']);
  const places = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
  await inTurns(places, 16, async (place) => expect(await play(connect, bytes, place, 2)).toEqual(whole));
});

it('scenarios that are cut, a sample at four places each, are the same requests', async () => {
  const { connect } = await start();
  const sample = scenarios
    .map((scenario) => bytesOf(scenario, 'token'))
    .filter((bytes, index) => index % 9 === 0 && bytes.length > 8 && bytes.length < 4000)
    // One response at most is compared, and a head that never ends is none.
    .filter((bytes) => bytes.includes('\r\n\r\n') && !bytes.toString('latin1').startsWith('HEAD'));
  expect(sample.length).toBeGreaterThan(30);
  for (const bytes of sample) {
    const whole = await play(connect, bytes, bytes.length, 1);
    for (const share of [0.1, 0.4, 0.7, 0.95])
      expect(await play(connect, bytes, Math.max(1, Math.floor(bytes.length * share)), 1)).toEqual(whole);
  }
});
