import assert from 'node:assert/strict';
import { startProxy } from '../support/proxy.ts';
import { RawCaller, statusOf } from '../support/raw-client.ts';
import { valuesOf } from '../support/read-messages.ts';
import { answerSuccess, startRecordingUpstream } from '../support/recording-upstream.ts';
import { type Fault, requestOf } from './fault-list.ts';

/** The deadline that faults are tried with, in milliseconds. */
export const deadlineMs = 1200;

/** Waits until something holds. */
export async function eventually(condition: () => boolean, timeoutMs = 3000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('it did not become true in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Plays one fault against a fresh proxy, and checks all that must hold after it. */
export async function runFault(fault: Fault): Promise<void> {
  const upstream = await startRecordingUpstream(fault.service);
  const isLong = fault.bodyBytes !== undefined && fault.bodyBytes > 1_000_000;
  const { totalDeadlineMs = null } = fault;
  const config = { upstreamUrl: upstream.url, deadlineMs: isLong ? 30_000 : deadlineMs, totalDeadlineMs };
  const proxy = await startProxy(config);
  const client = new RawCaller(proxy.port);
  const startedMs = performance.now();
  try {
    client.send(requestOf(fault));
    if (isLong) await receiveLong(client, fault.bodyBytes ?? 0);
    else await checkOutcome(client, fault);
    // The bound of every outcome: the deadline, and what the ticker and a slow machine add.
    if (!isLong) assert.ok(performance.now() - startedMs < deadlineMs + 2000, 'the outcome came late');
    assert.equal(upstream.requests().length, fault.requests ?? 1);
    await eventually(() => proxy.pipeline.inFlight === 0);
    if (fault.connectionClosed ?? true) await eventually(() => upstream.open() === 0);
    else assert.equal(upstream.open(), 1);
    // The process is well and nothing of the fault is left for the next client.
    upstream.behave = answerSuccess;
    const next = new RawCaller(proxy.port);
    next.send(requestOf({ method: 'GET' }));
    const [answer] = await next.answers(1);
    assert.equal(statusOf(answer), 200);
    next.close();
  } finally {
    client.close();
    await proxy.close();
    await upstream.close();
  }
}

async function checkOutcome(client: RawCaller, fault: Fault): Promise<void> {
  if (fault.outcome === 'cut') {
    await client.ended(deadlineMs + 3000);
    assert.match(client.received.toString('latin1'), /^HTTP\/1\.1 200 OK\r\n/);
    assert.equal(client.reading().messages.length, 0);
    return;
  }
  const [answer] = await client.answers(1, deadlineMs + 3000);
  if (fault.outcome === 'whole') {
    assert.equal(statusOf(answer), fault.status ?? 200);
    if (fault.bodyBytes !== undefined) assert.equal(answer?.body.length, fault.bodyBytes);
    return;
  }
  const [status, code] = fault.outcome.split(' ');
  assert.equal(statusOf(answer), Number(status));
  const { error } = JSON.parse(answer?.body.toString() ?? '') as { error: { code: string; details: unknown[] } };
  assert.deepEqual({ code: error.code, details: error.details }, { code, details: [] });
  assert.deepEqual(
    answer === undefined ? [] : [...valuesOf(answer, 'location'), ...valuesOf(answer, 'set-cookie')],
    [],
  );
}

/** Counts a long body without holding it. */
export async function receiveLong(client: RawCaller, bodyBytes: number): Promise<void> {
  let headBytes = 0;
  let bytes = 0;
  client.socket.removeAllListeners('data');
  await new Promise<void>((resolve, reject) => {
    client.socket.on('data', (piece: Buffer) => {
      if (headBytes === 0) headBytes = piece.indexOf('\r\n\r\n') + 4;
      bytes += piece.length;
      if (bytes >= headBytes + bodyBytes) resolve();
    });
    client.socket.on('close', () => reject(new Error(`the answer ended after ${bytes} bytes`)));
  });
  assert.equal(bytes, headBytes + bodyBytes);
}
