import { vi } from 'vitest';
import { ProxyState } from '../../src/worker/proxy-state.js';
import type { WorkerContext, WorkerEnvironment } from '../../src/worker/worker-environment.js';

/** Objects of a binding as the platform has them: one for each name, each with its own storage. */
export class Objects {
  readonly storages = new Map<string, Map<string, unknown>>();
  /** Requests that came, by the name of the object. */
  readonly requested: string[] = [];
  /** Whether the objects are out of reach. */
  away = false;
  readonly #environment: WorkerEnvironment;
  readonly #objects = new Map<string, ProxyState>();

  constructor(environment: WorkerEnvironment) {
    this.#environment = environment;
  }

  idFromName(name: string): string {
    return name;
  }

  get(name: unknown) {
    const key = String(name);
    return {
      fetch: async (request: Request) => {
        this.requested.push(key);
        if (this.away) throw new Error('the object is away');
        return this.object(key).fetch(request);
      },
    };
  }

  object(key: string): ProxyState {
    const storage = this.storages.get(key) ?? new Map<string, unknown>();
    this.storages.set(key, storage);
    const found = this.#objects.get(key) ?? new ProxyState({ storage: storageOf(storage) }, this.#environment);
    this.#objects.set(key, found);
    return found;
  }
}

/** A storage whose alarm is kept beside the values. */
function storageOf(map: Map<string, unknown>) {
  return {
    get: async (key: string) => structuredClone(map.get(key)),
    put: async (key: string, value: unknown) => void map.set(key, structuredClone(value)),
    setAlarm: async (timeMs: number) => void map.set('alarm', timeMs),
    deleteAll: async () => map.clear(),
  };
}

/** A fresh isolate with these settings; every isolate of a test has the same objects. */
export async function isolate(environment: WorkerEnvironment, context?: WorkerContext) {
  vi.resetModules();
  const { default: worker } = await import('../../src/worker.js');
  return async (path = '/v1/vehicles/consent', headers: Record<string, string> = {}, method = 'GET') => {
    const request = new Request(`http://proxy${path}`, { method, headers: { brand: 'brand_a', ...headers } });
    const response = await worker.fetch(request, environment, context);
    await response.arrayBuffer();
    return response;
  };
}
