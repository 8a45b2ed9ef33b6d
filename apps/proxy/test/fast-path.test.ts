import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, it, onTestFinished } from 'vitest';
import { serverOptionsFrom } from '../src/config/program-options.js';
import { behaviorOf, faults, requestOf } from './support/faults.ts';
import { bytesOf, scenarios } from './support/scenarios.ts';
import { respondSuccess } from './support/servers.ts';
import { inTurns, requestLines, startPair } from './support/set-up.ts';
import { settingsOf } from './support/settings.ts';
import { statusOf, type WireMessage } from './support/wire.ts';

const good = (id: string) => requestLines('GET /v1/vehicles/consent', `X-Request-Id: ${id}`);
const start = () => startPair(undefined, { fastPath: true });
type Connect = Awaited<ReturnType<typeof start>>['connect'];

/** A body without what is new in each response. */
const withoutNew = (body: Buffer) => body.toString().replace(/"timestamp":"[^"]+"|"requestId":"[^"]+"/g, '');

/** Whether bytes get one response at least that can be read without them: a head that never ends gets none. */
const hasOneResponse = (bytes: Buffer) => bytes.includes('\r\n\r\n') && !bytes.toString('latin1').startsWith('HEAD');

/** Sends bytes in two pieces, the second after the first has left, and gives the responses in short. */
async function play(connect: Connect, bytes: Buffer, cutAt: number, count: number): Promise<readonly string[]> {
  const client = connect();
  client.socket.setNoDelay(true);
  client.send(bytes.subarray(0, cutAt));
  await new Promise((resolve) => setImmediate(resolve));
  client.send(bytes.subarray(cutAt));
  const responses = await client.responses(count);
  client.close();
  return responses.map((response) => `${statusOf(response)} ${withoutNew(response.body)}`);
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
    .filter(hasOneResponse);
  expect(sample.length).toBeGreaterThan(30);
  for (const bytes of sample) {
    const whole = await play(connect, bytes, bytes.length, 1);
    for (const share of [0.1, 0.4, 0.7, 0.95])
      expect(await play(connect, bytes, Math.max(1, Math.floor(bytes.length * share)), 1)).toEqual(whole);
  }
});

/** The first item of each kind. */
const oneOfEach = <T>(items: readonly T[], kindOf: (item: T) => string): readonly T[] => [
  ...new Map(items.toReversed().map((item) => [kindOf(item), item])).values(),
];

/** A response without what each of two servers says about itself, and what is new each time. */
function comparable({ start, headers, body }: WireMessage) {
  const own = ['connection', 'date', 'keep-alive', 'x-request-id'];
  const lines = headers.filter(([name]) => !own.includes(name)).map((line) => line.join(': '));
  return [start, ...lines.toSorted(), withoutNew(body)].join('\n');
}

// `npm run test:more` plays all of them without the fast path.
it('a scenario, a rejection and a fault of each kind have the same response without the fast path, where Node reads every request', async () => {
  const good = scenarios.filter(({ allowStopAll, statuses }) => !allowStopAll && statuses === undefined);
  const requests = oneOfEach(good, ({ file, rejects }) => `${file} ${rejects}`)
    .map((scenario) => bytesOf(scenario, 'token'))
    .filter(hasOneResponse);
  // Without those for which time has to pass.
  const fast = faults.filter(({ responds, then }) => responds !== undefined || then !== undefined);
  const failing = oneOfEach(fast, ({ becomes, then, method }) => `${becomes} ${then} ${method}`);
  const plays = [
    ...requests.map((bytes) => ({ bytes, fault: null })),
    ...failing.map((fault) => ({ bytes: Buffer.from(requestOf(fault)), fault })),
  ];
  let readByNode = 0;
  const count = () => void readByNode++;
  subscribe('http.server.request.start', count);
  onTestFinished(() => void unsubscribe('http.server.request.start', count));
  const playAll = async (fastPath: boolean) => {
    readByNode = 0;
    const { upstream, connect } = await startPair(undefined, { fastPath });
    const responses: string[] = [];
    for (const { bytes, fault } of plays) {
      const client = connect();
      const passed = () => client.until(() => client.received.length > 0, 60_000);
      upstream.behave = fault === null ? respondSuccess : behaviorOf(fault, passed);
      client.send(bytes);
      const [response] = await client.responses(1);
      client.close();
      responses.push(response === undefined ? 'none' : comparable(response));
    }
    return { responses, readByNode };
  };
  const on = await playAll(true);
  const off = await playAll(false);
  expect(off.responses).toEqual(on.responses);
  expect(new Set(on.responses).size).toBeGreaterThan(10);
  expect(on.readByNode).toBeLessThan(plays.length / 2);
  expect(off.readByNode).toBeGreaterThan(plays.length * 0.9);
});

it('the setting VDS_FAST_PATH switches it off', () => {
  const pathOf = (more: Record<string, string>) =>
    serverOptionsFrom(settingsOf({ VDS_UPSTREAM_URL: 'https://vehicle-data.invalid', ...more }).values).fastPath;
  expect([pathOf({}), pathOf({ VDS_FAST_PATH: 'off' })]).toEqual([true, false]);
});
