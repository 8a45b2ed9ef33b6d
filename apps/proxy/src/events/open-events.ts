import { Counter, Gauge, type Registry } from 'prom-client';
import type { Warnings } from '../observability/warnings.js';
import { openRedis, type RedisAddress } from '../store/open-redis.js';
import { ConsentEvents } from './consent-events.js';
import { EventSecrets } from './event-secrets.js';
import { EventSender } from './event-sender.js';
import { FolderQueue } from './folder-queue.js';
import { redisQueue, redisServed } from './redis-queue.js';
import { FolderServed } from './served-vehicles.js';
import type { VehicleEvents } from './vehicle-events.js';

/** Who is told of the end of a consent, and where events wait. */
export interface EventsOptions {
  /** Address of the receiver. */
  readonly url: string;
  /** Secrets with which events are signed, as `VDS_EVENTS_SECRET` has them. */
  readonly secret: string;
  /** Secret of the hashes of VINs. */
  readonly hashKey: string;
  /** Folder of the queue; `undefined` for Redis. */
  readonly folder: string | undefined;
  readonly redis: RedisAddress & { readonly prefix: string };
}

/** The events of a process, until it ends. */
export interface OpenedEvents extends VehicleEvents {
  close(): Promise<void>;
}

/** Time for one command of the queue in Redis, in milliseconds. No request waits for it. */
const redisTimeoutMs = 5000;

/**
 * Opens queue and sender of events.
 *
 * @param registry gets the metrics of events
 * @throws {Error} when the folder of the queue cannot be used; the text names the setting
 */
export async function openEvents(
  { url, secret, hashKey, ...place }: EventsOptions,
  warnings: Warnings,
  say: (line: string) => void,
  registry: Registry | null,
): Promise<OpenedEvents> {
  const { queue, served } = await openQueue(place);
  const counts = countsIn(registry);
  if (registry !== null) measure(registry, queue);
  const secrets = new EventSecrets(secret);
  const sender = new EventSender({ url, secrets, queue, counts, warnings, say });
  const onQueued = () => void sender.look();
  const events = new ConsentEvents({ queue, served, secrets, hashKey, counts, warnings, say, onQueued });
  onQueued();
  return {
    ended: (plan, record) => events.ended(plan, record),
    async close() {
      await events.close();
      await sender.close();
      await served.close().catch(() => {});
      await queue.close().catch(() => {});
    },
  };
}

async function openQueue({ folder, redis: address }: Pick<EventsOptions, 'folder' | 'redis'>) {
  if (folder === undefined) {
    const redis = await openRedis(address, redisTimeoutMs);
    return { queue: redisQueue(redis, address.prefix), served: redisServed(redis, address.prefix) };
  }
  try {
    return { queue: await FolderQueue.open(folder), served: await FolderServed.open(folder) };
  } catch {
    throw new Error('VDS_EVENTS_DIR: the folder cannot be made, read or written');
  }
}

const nameOf = (name: string) => `vds_proxy_events_${name}`;

function countsIn(registry: Registry | null) {
  const registers = registry === null ? [] : [registry];
  const counter = (name: string, help: string, labelNames: readonly string[]) =>
    new Counter({ name: nameOf(name), help, labelNames, registers });
  const delivered = counter('delivered_total', 'Events that the receiver has taken.', []);
  const failed = counter('failed_total', 'Attempts to deliver an event that failed, by status or reason.', ['reason']);
  const dropped = counter('dropped_total', 'Events that were given up, by reason.', ['reason']);
  return {
    delivered: () => delivered.inc(),
    failed: (reason: string) => failed.inc({ reason }),
    dropped: (reason: string) => dropped.inc({ reason }),
  };
}

function measure(registry: Registry, queue: Awaited<ReturnType<typeof openQueue>>['queue']): void {
  const registers = [registry];
  const age = new Gauge({
    name: nameOf('oldest_seconds'),
    help: 'Age of the oldest event that waits, in seconds; 0 for none.',
    registers,
  });
  new Gauge({
    name: nameOf('queued'),
    help: 'Events that wait to be delivered, those of other replicas on the same Redis included.',
    registers,
    async collect() {
      const { queued, oldestMs } = await queue.state().catch(() => ({ queued: Number.NaN, oldestMs: null }));
      this.set(queued);
      age.set(oldestMs === null ? 0 : Math.max(0, (Date.now() - oldestMs) / 1000));
    },
  });
}
