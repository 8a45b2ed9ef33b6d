import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { boundOf } from '../../../scripts/patience.ts';
import { bodyOf, expectedOf, type Fault, faults, playFault, requestOf } from './support/faults.ts';
import { type AtEnd, respondSuccess, startRawUpstream } from './support/servers.ts';
import { startProxy } from './support/set-up.ts';
import { RawClient, statusOf, valuesOf } from './support/wire.ts';

/** Deadline of the faults that last until it, in milliseconds: many times what a good request takes on a busy machine. */
const shortMs = 3000;

const eventually = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 60_000, interval: 5 });

/** Plays one fault against a fresh proxy, and checks all that must hold after it. */
async function playAlone(fault: Fault, atEnd: AtEnd): Promise<void> {
  const { untilDeadline, totalDeadlineMs = null } = fault;
  const boundMs = untilDeadline ? shortMs : 60_000;
  const upstream = await startRawUpstream(undefined, atEnd);
  const proxy = await startProxy({ upstreamUrl: upstream.url, deadlineMs: boundMs, totalDeadlineMs }, atEnd);
  const client = new RawClient(proxy.port);
  atEnd(() => client.close());
  const startedMs = performance.now();
  const { got, response } = await playFault(fault, upstream, client);
  expect(got).toBe(expectedOf(fault));
  // The bound of every outcome: the deadline, and what the ticker adds.
  expect(performance.now() - startedMs).toBeLessThan(boundOf(boundMs, 2000));
  if (fault.becomes === 'whole') {
    if (fault.responds !== undefined && response !== undefined) expect(response.body.equals(bodyOf(fault))).toBe(true);
  } else if (fault.becomes !== 'cut') {
    expect(JSON.parse(String(response?.body))).toMatchObject({ error: { details: [] } });
    expect([...valuesOf(response, 'location'), ...valuesOf(response, 'set-cookie')]).toEqual([]);
  }
  expect(upstream.requests()).toHaveLength(fault.requests ?? 1);
  await eventually(() => proxy.pipeline.inFlight === 0);
  if (fault.keeps) expect(upstream.open()).toBe(1);
  else await eventually(() => upstream.open() === 0);
  // The process is well and nothing of the fault is left for the next client.
  upstream.behave = respondSuccess;
  // Connected now: a connection that is silent while a long body takes its time is closed.
  const next = new RawClient(proxy.port);
  atEnd(() => next.close());
  expect(statusOf(await next.request(requestOf()))).toBe(200);
}

describe('a fault of the upstream', () => {
  const isLong = ({ longBytes }: Fault) => longBytes !== undefined;
  const title = 'reaches the client in its one form, and leaves nothing for the next: $fault: $becomes';
  it.concurrent.for(faults.filter((fault) => !isLong(fault)))(title, (fault, test) =>
    playAlone(fault, test.onTestFinished),
  );
  it.each(faults.filter(isLong))(title, (fault) => playAlone(fault, onTestFinished));
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

const measuresMemory = process.env['BENCH'] === 'memory';
if (!measuresMemory)
  console.log(
    'Memory is not tested: it depends on other work on the machine. `pnpm run bench:memory` of the proxy does.',
  );
it.runIf(measuresMemory)('twice in one process, memory is back within 30 MB', async () => {
  const playAll = async () => {
    for (let at = 0; at < faults.length; at += 20) {
      const ends: (() => unknown)[] = [];
      await Promise.all(faults.slice(at, at + 20).map((fault) => playAlone(fault, (end) => ends.unshift(end))));
      for (const end of ends) await end();
    }
  };
  await playAll();
  const before = await heldBytes();
  await playAll();
  expect((await heldBytes()) - before).toBeLessThan(30_000_000);
});
