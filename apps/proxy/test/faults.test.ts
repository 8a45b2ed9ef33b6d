import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { behaviorOf, bodyOf, deadlineMs, type Fault, faults, requestOf } from './support/faults.ts';
import { respondSuccess, startRawServer } from './support/servers.ts';
import { openProxy } from './support/set-up.ts';
import { RawClient, statusOf, valuesOf } from './support/wire.ts';

const eventually = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 3000, interval: 5 });

const isLong = ({ longBytes }: Fault) => longBytes !== undefined;

/** Plays one fault against a fresh proxy, and checks all that must hold after it. */
async function playFault(fault: Fault): Promise<void> {
  // A response is cut only after its client has got some of it.
  const passed = () => client.until(() => client.received.length > 0, deadlineMs + 3000);
  const upstream = await startRawServer(behaviorOf(fault, fault.becomes === 'cut' ? passed : undefined));
  const { longBytes, totalDeadlineMs = null } = fault;
  const boundMs = isLong(fault) ? 30_000 : deadlineMs;
  const proxy = await openProxy({ upstreamUrl: upstream.url, deadlineMs: boundMs, totalDeadlineMs });
  const client = new RawClient(proxy.port);
  const next = new RawClient(proxy.port);
  const startedMs = performance.now();
  try {
    client.send(requestOf(fault));
    if (longBytes !== undefined) await client.longBody(longBytes);
    else await checkOutcome(client, fault);
    // The bound of every outcome: the deadline, and what the ticker and a slow machine add.
    expect(performance.now() - startedMs).toBeLessThan(boundMs + 2000);
    expect(upstream.requests()).toHaveLength(fault.requests ?? 1);
    await eventually(() => proxy.pipeline.inFlight === 0);
    if (fault.keeps) expect(upstream.open()).toBe(1);
    else await eventually(() => upstream.open() === 0);
    // The process is well and nothing of the fault is left for the next client.
    upstream.behave = respondSuccess;
    expect(statusOf(await next.request(requestOf()))).toBe(200);
  } finally {
    for (const each of [client, next]) each.close();
    await proxy.close();
    await upstream.close();
  }
}

async function checkOutcome(client: RawClient, fault: Fault): Promise<void> {
  if (fault.becomes === 'cut') {
    await client.ended(deadlineMs + 3000);
    expect(client.received.toString('latin1')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(client.reading().messages).toHaveLength(0);
    return;
  }
  const [response] = await client.responses(1, deadlineMs + 3000);
  if (fault.becomes === 'whole') {
    expect(statusOf(response)).toBe(fault.status ?? 200);
    if (fault.responds !== undefined) expect(response?.body.equals(bodyOf(fault))).toBe(true);
    return;
  }
  const [status, code] = fault.becomes.split(' ');
  expect(statusOf(response)).toBe(Number(status));
  expect(JSON.parse(response?.body.toString() ?? '')).toMatchObject({ error: { code, details: [] } });
  expect([...valuesOf(response, 'location'), ...valuesOf(response, 'set-cookie')]).toEqual([]);
}

describe('when the upstream responds with', () => {
  const [long, short] = [faults.filter(isLong), faults.filter((fault) => !isLong(fault))];
  it.concurrent.each(short)('$fault, the client gets: $becomes', playFault, 20_000);
  it.each(long)('$fault, the client gets: $becomes', playFault);
});

/** Memory that is still held after a collection, in bytes: the heap, and buffers outside it. */
async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  for (let turn = 0; turn < 3; turn++) {
    runInNewContext('gc')();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// Memory depends on other work on the machine: `pnpm run bench:memory`.
it.runIf(process.env['BENCH'] === 'memory')('twice in one process, memory is back within 30 MB', async () => {
  const playAll = async () => {
    for (let at = 0; at < faults.length; at += 20) await Promise.all(faults.slice(at, at + 20).map(playFault));
  };
  await playAll();
  const before = await heldBytes();
  await playAll();
  expect((await heldBytes()) - before).toBeLessThan(30_000_000);
});
