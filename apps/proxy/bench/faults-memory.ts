import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { faults } from '../test/faults/fault-list.ts';
import { runFault } from '../test/faults/run-fault.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory that is still held after a collection, in bytes: the heap, and buffers outside it. */
async function heldBytes(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function runAll(): Promise<void> {
  for (let at = 0; at < faults.length; at += 20) await Promise.all(faults.slice(at, at + 20).map(runFault));
}

it('after the whole list of faults a second time in one process, memory is back within 30 MB', async () => {
  await runAll();
  const before = await heldBytes();
  await runAll();
  expect((await heldBytes()) - before).toBeLessThan(30_000_000);
}, 60_000);
