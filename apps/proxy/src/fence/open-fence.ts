import { hash } from 'node:crypto';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Warnings } from '../observability/warnings.js';
import { BlockNames } from './block-names.js';
import { Fence, type Withdrawn } from './fence.js';
import type { Journal } from './journal.js';
import { SharedBlocks } from './shared-blocks.js';

const digest = (text: string) => hash('sha256', text, 'hex');

/** The names of vehicles under a secret; `undefined` where no store shows them to others. */
export function namesWith(secret: string | undefined): BlockNames {
  return new BlockNames(secret, digest);
}

/**
 * Opens the fence of a process, and reads what was blocked before.
 *
 * @param secret hides VINs in the store; `undefined` without one that replicas have in common
 * @param journal of the store; `null` when this process is alone
 * @param say tells the operator something
 * @param onWithdrawn called when the fence of a withdrawal stands
 */
export async function openFence(
  secret: string | undefined,
  journal: Journal | null,
  warnings: Warnings,
  say: (line: string) => void,
  onWithdrawn?: (withdrawn: Withdrawn) => Promise<void>,
): Promise<Fence> {
  const canShare = secret !== undefined;
  if (journal !== null && !canShare)
    say('VDS_VIN_HASH_KEY: is not set, so other processes are not told of withdrawals, and none outlives this process');
  const blocks = new SharedBlocks(canShare ? journal : null, warnings);
  const fence = new Fence({ names: namesWith(secret), blocks, warnings, ...(onWithdrawn && { onWithdrawn }) });
  await blocks.start();
  return fence;
}

/** Adds what the fence counts to the metrics of a proxy. */
export function measureFence(registry: Registry, fence: Fence): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name: `vds_proxy_fence_${name}`,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  gauge('entries', 'Withdrawals and stops that hold.', () => fence.blocks.set.blocks);
  gauge('entries_limit', 'Entries that the fence keeps apart.', () => fence.maxEntries);
  gauge('entries_waiting', 'Entries that the store does not have yet.', () => fence.blocks.waiting);
  const counter = (
    name: string,
    help: string,
    labelNames: readonly string[],
    counts: () => readonly (readonly [string, number])[],
  ) =>
    new Counter({
      name: `vds_proxy_fence_${name}_total`,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [reason, count] of counts()) this.inc(labelNames.length === 0 ? {} : { reason }, count);
      },
    });
  const reasons = { fence: 'withdrawn', stop: 'stopped', full: 'full' };
  const byReason = (counts: Readonly<Record<keyof typeof reasons, number>>) =>
    (['fence', 'stop', 'full'] as const).map((kind) => [reasons[kind], counts[kind]] as const);
  counter('rejections', 'Requests that the fence has rejected, by reason.', ['reason'], () =>
    byReason(fence.counts.rejected),
  );
  counter('cuts', 'Responses that the fence has cut, by reason.', ['reason'], () => byReason(fence.counts.cut));
  counter('late_lists', 'Lists that were held back because a vehicle was withdrawn meanwhile.', [], () => [
    ['', fence.counts.lateLists],
  ]);
  counter('store_failures', 'Times that the store of the fence failed.', [], () => [['', fence.blocks.failures]]);
}
