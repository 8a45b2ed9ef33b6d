import type { EventQueue, QueuedEvent } from './event-queue.js';

/** Adds an event to the queue of each receiver. What failed for one is added to all again: one that has it already does not get it twice. */
export function addToEvery(queues: readonly EventQueue[]): Pick<EventQueue, 'add'> {
  return {
    async add(event: QueuedEvent) {
      const had = await Promise.all(queues.map((queue) => queue.add(event)));
      return had.every(Boolean);
    },
  };
}
