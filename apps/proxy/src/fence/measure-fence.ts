// Apart from the fence: the library of metrics is loaded where metrics are served.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Fence } from './fence.js';

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
