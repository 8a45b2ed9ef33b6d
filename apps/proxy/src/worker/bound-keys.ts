import { ApiKeys } from '../auth/api-keys.js';
import type { Client, ClientAuth } from '../auth/client.js';
import { parseKeys } from '../auth/key-record.js';
import type { VinHash } from '../auth/vehicle-rights.js';
import type { IncomingRequest } from '../request/incoming-request.js';

/** A binding that holds texts by name, such as a KV namespace. */
export interface TextNamespace {
  get(name: string): Promise<string | null>;
}

/** Whether a binding holds texts by name. */
export function isTextNamespace(value: unknown): value is TextNamespace {
  return typeof value === 'object' && value !== null && 'get' in value && typeof value.get === 'function';
}

/** Age at which an isolate reads the keys again, in milliseconds: 30 seconds. A revoked key is good no longer than that. */
const keepMs = 30_000;

/** Pause before a binding that failed is asked again, in milliseconds: two seconds. */
const retryMs = 2000;

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** API keys out of a binding that holds the text of a key file. Without a good one, nobody is recognised. */
export class BoundKeys implements ClientAuth {
  readonly challenge: string;
  readonly #namespace: TextNamespace;
  readonly #name: string;
  readonly #keys: ApiKeys;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(namespace: TextNamespace, name: string, alsoBearer: boolean, hash: VinHash | null = null) {
    this.#namespace = namespace;
    this.#name = name;
    this.#keys = new ApiKeys(digest, alsoBearer, hash);
    this.challenge = this.#keys.challenge;
  }

  async authenticate(incoming: IncomingRequest): Promise<Client | null> {
    if (Date.now() - this.#readAtMs >= keepMs) {
      const records = await this.#namespace.get(this.#name).then(
        (text) => parseKeys(text ?? ''),
        () => null,
      );
      // While the binding fails, or holds no key file, the keys known so far stay valid; not every request asks again.
      if (records !== null) this.#keys.use(records);
      this.#readAtMs = records === null ? Date.now() - keepMs + retryMs : Date.now();
    }
    return this.#keys.authenticate(incoming);
  }
}
