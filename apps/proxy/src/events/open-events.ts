import { join } from 'node:path';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Warnings } from '../observability/warnings.js';
import { openRedis, type RedisAddress } from '../store/open-redis.js';
import { ConsentEvents } from './consent-events.js';
import type { EventQueue } from './event-queue.js';
import { EventSecrets } from './event-secrets.js';
import { EventSender } from './event-sender.js';
import { FolderQueue } from './folder-queue.js';
import { QueueWriter } from './queue-writer.js';
import { redisQueue, redisServed } from './redis-queue.js';
import { FolderServed } from './served-vehicles.js';
import type { VehicleEvents } from './vehicle-events.js';

/** Who is told of the end of a consent, and where events wait. */
export interface EventsOptions {
  /** Addresses of the receivers. */
  readonly urls: readonly string[];
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
  { urls, secret, hashKey, ...place }: EventsOptions,
  warnings: Warnings,
  say: (line: string) => void,
  registry: Registry | null,
): Promise<OpenedEvents> {
  const { queues, served } = await openQueues(place, urls.length);
  const counts = countsIn(registry);
  if (registry !== null) measure(registry, queues);
  const secrets = new EventSecrets(secret);
  const notSent = failingTogether(warnings);
  const notQueued = failingTogether(warnings);
  const receivers = queues.map((queue, place) => {
    const url = urls[place];
    if (url === undefined) throw new Error('a queue has no receiver');
    const sender = new EventSender({ url, secrets, queue, counts, warnings: notSent(place), say });
    const onQueued = () => void sender.look();
    return { sender, writer: new QueueWriter({ queue, counts, warnings: notQueued(place), say, onQueued }) };
  });
  const writers = receivers.map(({ writer }) => writer);
  const events = new ConsentEvents({ writers, served, secrets, hashKey });
  for (const { sender } of receivers) void sender.look();
  return {
    withdrawn: (withdrawn) => events.withdrawn(withdrawn),
    ended: (plan, record) => events.ended(plan, record),
    async close() {
      await events.close();
      await Promise.all(receivers.map(({ sender }) => sender.close()));
      await served.close().catch(() => {});
      for (const each of queues) await each.close().catch(() => {});
    },
  };
}

/** A queue for each receiver, by its place among the addresses. The first one has the place that a single receiver has. */
async function openQueues({ folder, redis: address }: Pick<EventsOptions, 'folder' | 'redis'>, receivers: number) {
  const places = Array.from({ length: receivers }, (_, index) => (index === 0 ? '' : `receiver-${index + 1}`));
  if (folder === undefined) {
    const redis = await openRedis(address, redisTimeoutMs);
    const { prefix } = address;
    return { queues: places.map((place) => redisQueue(redis, prefix, place)), served: redisServed(redis, prefix) };
  }
  try {
    const queues = await Promise.all(places.map((place) => FolderQueue.open(join(folder, place))));
    return { queues, served: await FolderServed.open(folder) };
  } catch {
    throw new Error('VDS_EVENTS_DIR: the folder cannot be made, read or written');
  }
}

/** A warning that holds as long as it holds for one of the receivers. */
function failingTogether(warnings: Warnings): (place: number) => Pick<Warnings, 'raise' | 'clear'> {
  const failing = new Map<number, string>();
  return (place) => ({
    raise(name, line) {
      failing.set(place, line);
      warnings.raise(name, line);
    },
    clear(name) {
      failing.delete(place);
      const [line] = failing.values();
      if (line === undefined) warnings.clear(name);
      else warnings.raise(name, line);
    },
  });
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

function measure(registry: Registry, queues: readonly EventQueue[]): void {
  const registers = [registry];
  const age = new Gauge({
    name: nameOf('oldest_seconds'),
    help: 'Age of the oldest event that waits, in seconds; 0 for none.',
    registers,
  });
  new Gauge({
    name: nameOf('queued'),
    help: 'Events that wait to be delivered, those of other replicas on the same Redis included; for each receiver of its own.',
    registers,
    async collect() {
      const states = await Promise.all(queues.map((queue) => queue.state())).catch(() => null);
      this.set(states?.reduce((all, { queued }) => all + queued, 0) ?? Number.NaN);
      const oldest = states?.flatMap(({ oldestMs }) => oldestMs ?? []) ?? [];
      age.set(oldest.length === 0 ? 0 : Math.max(0, (Date.now() - Math.min(...oldest)) / 1000));
    },
  });
}
