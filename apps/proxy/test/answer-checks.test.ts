import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { CheckMode } from '../src/config.js';
import { eventually } from './faults/run-fault.ts';
import { startProxy } from './support/proxy.ts';
import { RawCaller, statusOf } from './support/raw-client.ts';
import { valuesOf } from './support/read-messages.ts';
import { answerWith, type Behaviour, startRecordingUpstream, successBody } from './support/recording-upstream.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

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
  const upstream = await startRecordingUpstream(behave);
  const proxy = await startProxy({ upstreamUrl: upstream.url, validateResponses: mode, deadlineMs: 20_000 });
  const client = new RawCaller(proxy.port);
  cleanUp.push(
    () => upstream.close(),
    () => proxy.close(),
    () => client.close(),
  );
  const target = '/v1/vehicles/KMHXX00XXXX000001/powertrains/data?startDate=20260301&endDate=20260301';
  client.send(`GET ${target} HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\nAuthorization: Bearer t\r\n${coding}\r\n`);
  await client.until(() => client.reading().messages.length === 1, 20_000);
  return { client, proxy, upstream, answer: client.reading().messages[0] };
}

const finding = { operationId: 'getPowertrainData', pointer: '/data/trips/*/engine/rpm/*', rule: 'maximum', count: 1 };

describe('answers that are checked and reported', () => {
  it.each([
    ['short', 2],
    ['long', 2000],
  ])('pass unchanged when they are %s and wrong, and the finding is counted by place and rule', async (_, count) => {
    const body = trips(count, true);
    const { proxy, answer } = await callThrough('report', (socket) => socket.write(answerWith(body)));
    expect(answer?.body.toString() === body).toBe(true);
    await eventually(() => proxy.pipeline.drift.snapshot().checked === 1);
    expect(proxy.pipeline.drift.snapshot().findings).toMatchObject([finding]);
  });

  it('leave no finding when they are right', async () => {
    const { proxy } = await callThrough('report', (socket) => socket.write(answerWith(trips(2000, false))));
    await eventually(() => proxy.pipeline.drift.snapshot().checked === 1);
    expect(proxy.pipeline.drift.snapshot().findings).toEqual([]);
  });

  it('are checked when they are compressed, and pass as they came', async () => {
    const body = gzipSync(trips(2000, true));
    const { proxy, answer } = await callThrough(
      'report',
      (socket) => socket.write(answerWith(body, '200 OK', `${json}Content-Encoding: gzip\r\n`)),
      'Accept-Encoding: gzip\r\n',
    );
    expect(answer?.body.equals(body)).toBe(true);
    await eventually(() => proxy.pipeline.drift.snapshot().checked === 1);
    expect(proxy.pipeline.drift.snapshot().findings).toMatchObject([finding]);
  });

  it('count as not checked when their compression is broken, or stands for more than is inflated', {
    timeout: 30_000,
  }, async () => {
    const headers = `${json}Content-Encoding: gzip\r\n`;
    const coding = 'Accept-Encoding: gzip\r\n';
    const broken = await callThrough(
      'report',
      (socket) => socket.write(answerWith(gzipSync(trips(20, false)).subarray(0, 60), '200 OK', headers)),
      coding,
    );
    await eventually(() => broken.proxy.pipeline.drift.snapshot().skipped['broken gzip'] === 1);
    const bomb = gzipSync(Buffer.alloc(80_000_000, ' '));
    const huge = await callThrough('report', (socket) => socket.write(answerWith(bomb, '200 OK', headers)), coding);
    expect(huge.answer?.body.equals(bomb)).toBe(true);
    await eventually(() => huge.proxy.pipeline.drift.snapshot().skipped['compressed, and too long'] === 1, 20_000);
  });

  it('include error answers of the service', async () => {
    const error = JSON.stringify({
      error: { code: '5001', message: 7, details: [], timestamp: '2026-03-09T07:00:00.000Z', requestId: 'r' },
    });
    const { proxy, answer } = await callThrough('report', (socket) => socket.write(answerWith(error, '500 Failed')));
    expect(statusOf(answer)).toBe(500);
    expect(proxy.pipeline.drift.snapshot().findings).toMatchObject([{ pointer: '/error/message', rule: 'type' }]);
  });

  it('are not looked at when checks are off', async () => {
    const { proxy } = await callThrough('off', (socket) => socket.write(answerWith(trips(2, true))));
    expect(proxy.pipeline.drift.snapshot()).toMatchObject({ checked: 0, findings: [] });
  });
});

describe('answers whose checks are enforced', () => {
  it.each([
    ['a wrong value', trips(2, true)],
    ['a wrong shape', '{"data":{"trips":7}}'],
    ['malformed JSON', '{"data":{"trips":['],
    ['no meta', '{"data":{"trips":[]}}'],
  ])('become 502 when they are short and have %s', async (_, body) => {
    const { proxy, answer } = await callThrough('enforce', (socket) => socket.write(answerWith(body)));
    expect(statusOf(answer)).toBe(502);
    expect(JSON.parse(answer?.body.toString() ?? '')).toMatchObject({ error: { code: 'upstream-invalid-response' } });
    expect(proxy.pipeline.drift.snapshot().findings).toHaveLength(1);
  });

  it.each(['length', 'chunks'])('are cut before the deviation when they are long, framed by %s', async (framing) => {
    const body = trips(1500, true);
    const bytes =
      framing === 'length'
        ? answerWith(body)
        : Buffer.from(
            `HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
          );
    const { client, proxy } = await callThrough('enforce', (socket) => socket.write(bytes));
    expect(client.ending).not.toBe('open');
    expect(client.reading().messages).toHaveLength(0);
    expect(client.received.length).toBeGreaterThan(100_000);
    expect(client.received.includes('99999')).toBe(false);
    expect(proxy.pipeline.drift.snapshot().findings).toMatchObject([finding]);
  });

  it('are cut when only their last byte shows that something is missing', async () => {
    const body = `${trips(1500, false).slice(0, -2)}`;
    const { client } = await callThrough('enforce', (socket) => socket.write(answerWith(body)));
    expect(client.reading().messages).toHaveLength(0);
    expect(client.ending).not.toBe('open');
  });

  it.each([2, 2000])('pass whole when they are right, also %i trips long', async (count) => {
    const body = trips(count, false);
    const { answer } = await callThrough('enforce', (socket) => socket.write(answerWith(body)));
    expect(answer?.body.toString() === body).toBe(true);
  });

  it('are asked for without compression', async () => {
    const { upstream } = await callThrough(
      'enforce',
      (socket) => socket.write(answerWith(trips(2, false))),
      'Accept-Encoding: gzip\r\n',
    );
    const [request] = upstream.requests();
    expect(request === undefined ? [] : valuesOf(request, 'accept-encoding')).toEqual(['identity']);
  });

  it('still pass error envelopes of the service unchanged', async () => {
    const error = JSON.stringify({ error: { code: '4045', message: 'No data' } });
    const { answer } = await callThrough('enforce', (socket) => socket.write(answerWith(error, '404 Not Found')));
    expect(statusOf(answer)).toBe(404);
    expect(answer?.body.toString()).toBe(error);
  });

  it('still pass error envelopes unchanged when they come in many pieces', async () => {
    const error = JSON.stringify({ error: { code: '4045', message: 'No data '.repeat(3000) } });
    const bytes = answerWith(error, '404 Not Found');
    const { answer } = await callThrough('enforce', (socket) => {
      for (let at = 0; at < bytes.length; at += 1000)
        setTimeout(() => socket.write(bytes.subarray(at, at + 1000)), at / 100);
    });
    expect(answer?.body.toString()).toBe(error);
  });

  it('pass whole when they come in many small pieces', async () => {
    const body = trips(60, false);
    const bytes = answerWith(body);
    const { answer } = await callThrough('enforce', (socket) => {
      for (let at = 0; at < bytes.length; at += 1000)
        setTimeout(() => socket.write(bytes.subarray(at, at + 1000)), at / 100);
    });
    expect(answer?.body.toString()).toBe(body);
  });
});
