import type { Observer, RequestRecord } from './observer.js';

/** What one client has done since the process started. */
export interface ClientUsage {
  readonly client: string;
  readonly requests: number;
  /** Error responses, rejections by a limit included. */
  readonly errors: number;
  /** Requests that a rate limit has rejected. */
  readonly limited: number;
  /** ISO 8601 UTC. */
  readonly lastUsed: string;
}

/** Clients that are counted by name; signed tokens can bring any number of them. */
const maxClients = 1000;
/** The name under which all further clients are counted. */
const others = 'others';

/** Counts what each client does, by its identifier. */
export class UsageByClient implements Observer {
  readonly #counts = new Map<string, { requests: number; errors: number; limited: number; lastMs: number }>();

  call({ client, status, code }: RequestRecord): void {
    if (client === '') return;
    const name = this.#counts.has(client) || this.#counts.size < maxClients ? client : others;
    const count = this.#counts.get(name) ?? { requests: 0, errors: 0, limited: 0, lastMs: 0 };
    this.#counts.set(name, count);
    count.requests++;
    if (status >= 400) count.errors++;
    if (code === 'rate-limited') count.limited++;
    count.lastMs = Date.now();
  }

  all(): readonly ClientUsage[] {
    return [...this.#counts].map(([client, { lastMs, ...counts }]) => ({
      client,
      ...counts,
      lastUsed: new Date(lastMs).toISOString(),
    }));
  }
}
