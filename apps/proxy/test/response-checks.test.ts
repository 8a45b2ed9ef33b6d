import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CheckMode } from '../src/config.js';
import { DriftReport } from '../src/observability/drift-report.js';
import { ResponseChecks } from '../src/response/response-check.js';
import { eventually } from './faults/run-fault.ts';
import { statusOf } from './support/raw-client.ts';
import { valuesOf } from './support/read-messages.ts';
import { type Behaviour, responseWith, successBody } from './support/recording-upstream.ts';
import { locationOf, startProxy, startRawUpstream } from './support/set-up.ts';

const json = 'Content-Type: application/json\r\n';

/** Trips whose engine speed is out of its range in the last trip, when `wrong`. */
function trips(count: number, wrong: boolean): string {
  const trip = (rpm: number) => ({
    triggerStartTime: '2026-03-01T07:00:00.000Z',
    tripLength: 60_000,
    engine: { rpm: Array(100).fill(rpm) },
  });
  return successBody({ trips: [...Array.from({ length: count - 1 }, () => trip(800)), trip(wrong ? 99_999 : 900)] });
}

async function callThrough(mode: CheckMode, behave: Behaviour, coding = '') {
  const upstream = await startRawUpstream(behave);
  const config = { upstreamUrl: upstream.url, validateResponses: mode, deadlineMs: 20_000 };
  const proxy = await startProxy(config);
  const client = proxy.connect();
  const target = locationOf().replace('locations', 'powertrains/data?startDate=20260301&endDate=20260301');
  client.send(`GET ${target} HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nAuthorization: Bearer t\r\n${coding}\r\n`);
  await client.until(() => client.reading().messages.length === 1, 20_000);
  const { drift } = proxy.pipeline;
  const checked = () => eventually(() => drift.snapshot().checked === 1);
  return { client, upstream, drift, checked, response: client.reading().messages[0] };
}

/** Sends bytes in pieces of a kilobyte, each a little after the one before. */
const inPieces =
  (bytes: Buffer): Behaviour =>
  async (socket) => {
    for (let at = 0; at < bytes.length; at += 1000) {
      socket.write(bytes.subarray(at, at + 1000));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };

const finding = { operationId: 'getPowertrainData', pointer: '/data/trips/*/engine/rpm/*', rule: 'maximum', count: 1 };

describe('responses that are checked and reported', () => {
  it.each([
    ['short', 2],
    ['long', 2000],
  ])('pass unchanged when they are %s and wrong, and the finding is counted by place and rule', async (_, count) => {
    const body = trips(count, true);
    const { drift, checked, response } = await callThrough('report', (socket) => socket.write(responseWith(body)));
    expect(response?.body.toString() === body).toBe(true);
    await checked();
    expect(drift.snapshot().findings).toMatchObject([finding]);
  });

  it('leave no finding when they are right', async () => {
    const { drift, checked } = await callThrough('report', (socket) => socket.write(responseWith(trips(2000, false))));
    await checked();
    expect(drift.snapshot().findings).toEqual([]);
  });

  it('are checked when they are compressed, and pass as they came', async () => {
    const body = gzipSync(trips(2000, true));
    const { drift, checked, response } = await callThrough(
      'report',
      (socket) => socket.write(responseWith(body, '200 OK', `${json}Content-Encoding: gzip\r\n`)),
      'Accept-Encoding: gzip\r\n',
    );
    expect(response?.body.equals(body)).toBe(true);
    await checked();
    expect(drift.snapshot().findings).toMatchObject([finding]);
  });

  it('count as not checked when their compression is broken, or their content too long to inflate', {
    timeout: 30_000,
  }, async () => {
    const headers = `${json}Content-Encoding: gzip\r\n`;
    const coding = 'Accept-Encoding: gzip\r\n';
    const broken = await callThrough(
      'report',
      (socket) => socket.write(responseWith(gzipSync(trips(20, false)).subarray(0, 60), '200 OK', headers)),
      coding,
    );
    await eventually(() => broken.drift.snapshot().skipped['broken gzip'] === 1);
    const bomb = gzipSync(Buffer.alloc(68_000_000, ' '));
    const huge = await callThrough('report', (socket) => socket.write(responseWith(bomb, '200 OK', headers)), coding);
    expect(huge.response?.body.equals(bomb)).toBe(true);
    await eventually(() => huge.drift.snapshot().skipped['compressed, and too long'] === 1, 20_000);
  });

  it('include error responses of the upstream', async () => {
    const error = JSON.stringify({
      error: { code: '5001', message: 7, details: [], timestamp: '2026-03-09T07:00:00.000Z', requestId: 'r' },
    });
    const { drift, response } = await callThrough('report', (socket) =>
      socket.write(responseWith(error, '500 Failed')),
    );
    expect(statusOf(response)).toBe(500);
    expect(drift.snapshot().findings).toMatchObject([{ pointer: '/error/message', rule: 'type' }]);
  });

  it('are not read when checks are off', async () => {
    const { drift } = await callThrough('off', (socket) => socket.write(responseWith(trips(2, true))));
    expect(drift.snapshot()).toMatchObject({ checked: 0, findings: [] });
  });
});

describe('responses whose checks are enforced', () => {
  it.each([
    ['a wrong value', trips(2, true)],
    ['a wrong shape', '{"data":{"trips":7}}'],
    ['malformed JSON', '{"data":{"trips":['],
    ['no meta', '{"data":{"trips":[]}}'],
  ])('become 502 when they are short and have %s', async (_, body) => {
    const { drift, response } = await callThrough('enforce', (socket) => socket.write(responseWith(body)));
    expect(statusOf(response)).toBe(502);
    expect(JSON.parse(response?.body.toString() ?? '')).toMatchObject({ error: { code: 'upstream-invalid-response' } });
    expect(drift.snapshot().findings).toHaveLength(1);
  });

  it.each(['length', 'chunks'])('are cut before the violation when they are long, framed by %s', async (framing) => {
    const body = trips(1500, true);
    const bytes =
      framing === 'length'
        ? responseWith(body)
        : Buffer.from(
            `HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
          );
    const { client, drift } = await callThrough('enforce', (socket) => socket.write(bytes));
    expect(client.ending).not.toBe('open');
    expect(client.reading().messages).toHaveLength(0);
    expect(client.received.length).toBeGreaterThan(100_000);
    expect(client.received.includes('99999')).toBe(false);
    expect(drift.snapshot().findings).toMatchObject([finding]);
  });

  it('are cut when only their last byte shows that something is missing', async () => {
    const body = `${trips(1500, false).slice(0, -2)}`;
    const { client } = await callThrough('enforce', (socket) => socket.write(responseWith(body)));
    expect(client.reading().messages).toHaveLength(0);
    expect(client.ending).not.toBe('open');
  });

  it.each([2, 2000])('pass whole when they are right, also %i trips long', async (count) => {
    const body = trips(count, false);
    const { response } = await callThrough('enforce', (socket) => socket.write(responseWith(body)));
    expect(response?.body.toString() === body).toBe(true);
  });

  it('are requested without compression', async () => {
    const { upstream } = await callThrough(
      'enforce',
      (socket) => socket.write(responseWith(trips(2, false))),
      'Accept-Encoding: gzip\r\n',
    );
    const [request] = upstream.requests();
    expect(request === undefined ? [] : valuesOf(request, 'accept-encoding')).toEqual(['identity']);
  });

  it.each([
    ['an error envelope', '404 Not Found', JSON.stringify({ error: { code: '4045', message: 'No data' } })],
    [
      'a long error envelope',
      '404 Not Found',
      JSON.stringify({ error: { code: '4045', message: 'No data '.repeat(3000) } }),
    ],
    ['a good response', '200 OK', trips(60, false)],
  ])('pass %s unchanged, also when it comes in many pieces', async (_, status, body) => {
    const { response } = await callThrough('enforce', inPieces(responseWith(body, status)));
    expect(response?.start).toBe(`HTTP/1.1 ${status}`);
    expect(response?.body.toString()).toBe(body);
  });
});

const located = successBody({ location: { latitude: 8.25, longitude: 1, speed: { value: 1, unit: 'kph' } } });
const deep = `{"zebra":${'['.repeat(800)}${']'.repeat(800)},`;
const twoWrong = located.replace('8.25', '91.5').replace('"longitude":1', '"longitude":999');

/** Checks a body in so many pieces; only with its length known it may be checked as a whole. */
function check(body: Uint8Array, length: number | null, pieces: number) {
  const drift = new DriftReport();
  const head = { status: 200, headers: ['content-type', 'application/json'], length, requestId: '' };
  const checking = new ResponseChecks('report', drift).begin('getLocation', head);
  const size = Math.ceil(body.length / pieces);
  for (let at = 0; at < body.length; at += size) checking?.write(body.subarray(at, at + size));
  const ok = checking?.end();
  const { checked, skipped, overflow, findings } = drift.snapshot();
  return { ok, checked, skipped, overflow, findings: findings.map(({ first: _, last: __, ...rest }) => rest) };
}

it.each([
  ['right', located],
  ['right, with an unknown member', located.replace('{', '{"zebra":{"a":[1]},')],
  ['right in the last of two members with one name', located.replace('"latitude"', '"latitude":91.5,"latitude"')],
  ['right, after a byte order mark', `\ufeff${located}`],
  ['right, with a deeply nested member', located.replace('{', deep)],
  ['out of a range', located.replace('8.25', '91.5')],
  ['of another type', located.replace('8.25', '"8.25"')],
  ['out of a range in two places', twoWrong],
  ['without what is required', '{"data":{}}'],
  ['cut', located.slice(0, -3)],
  ['followed by more', `${located} {}`],
  ['not UTF-8', Buffer.from(located.replace('{', '{"zebra":"\xff",'), 'latin1')],
  ['no JSON', '{nothing}'],
])('a short response that is %s is checked as one that streams', (what, text) => {
  const body = Buffer.from(text);
  expect(body.length).toBeLessThanOrEqual(2048);
  const streamed = check(body, null, 1);
  expect(streamed.ok).toBe(what.startsWith('right'));
  expect(check(body, body.length, 1)).toEqual(streamed);
  expect(check(body, body.length, 3)).toEqual(check(body, null, 3));
});
