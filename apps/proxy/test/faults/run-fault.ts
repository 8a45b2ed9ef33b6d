import assert from 'node:assert/strict';
import { openProxy } from '../support/proxy.ts';
import { RawClient, statusOf } from '../support/raw-client.ts';
import { valuesOf } from '../support/read-messages.ts';
import { respondSuccess, startRecordingUpstream } from '../support/recording-upstream.ts';
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
  const proxy = await openProxy(config);
  const client = new RawClient(proxy.port);
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
    upstream.behave = respondSuccess;
    const next = new RawClient(proxy.port);
    next.send(requestOf({ method: 'GET' }));
    const [response] = await next.responses(1);
    assert.equal(statusOf(response), 200);
    next.close();
  } finally {
    client.close();
    await proxy.close();
    await upstream.close();
  }
}

async function checkOutcome(client: RawClient, fault: Fault): Promise<void> {
  if (fault.outcome === 'cut') {
    await client.ended(deadlineMs + 3000);
    assert.match(client.received.toString('latin1'), /^HTTP\/1\.1 200 OK\r\n/);
    assert.equal(client.reading().messages.length, 0);
    return;
  }
  const [response] = await client.responses(1, deadlineMs + 3000);
  if (fault.outcome === 'whole') {
    assert.equal(statusOf(response), fault.status ?? 200);
    if (fault.bodyBytes !== undefined) assert.equal(response?.body.length, fault.bodyBytes);
    return;
  }
  const [status, code] = fault.outcome.split(' ');
  assert.equal(statusOf(response), Number(status));
  const { error } = JSON.parse(response?.body.toString() ?? '') as { error: { code: string; details: unknown[] } };
  assert.deepEqual({ code: error.code, details: error.details }, { code, details: [] });
  assert.deepEqual(
    response === undefined ? [] : [...valuesOf(response, 'location'), ...valuesOf(response, 'set-cookie')],
    [],
  );
}

/** Counts a long body without holding it. */
export async function receiveLong(client: RawClient, bodyBytes: number): Promise<void> {
  let headBytes = 0;
  let bytes = 0;
  client.socket.removeAllListeners('data');
  await new Promise<void>((resolve, reject) => {
    client.socket.on('data', (piece: Buffer) => {
      if (headBytes === 0) headBytes = piece.indexOf('\r\n\r\n') + 4;
      bytes += piece.length;
      if (bytes >= headBytes + bodyBytes) resolve();
    });
    client.socket.on('close', () => reject(new Error(`the response ended after ${bytes} bytes`)));
  });
  assert.equal(bytes, headBytes + bodyBytes);
}
