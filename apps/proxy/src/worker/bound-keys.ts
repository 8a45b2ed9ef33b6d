import { ApiKeys } from '../callers/api-keys.js';
import type { Caller, CallerCheck } from '../callers/caller.js';
import { parseKeys } from '../callers/key-record.js';
import type { IncomingCall } from '../decide.js';

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

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** API keys out of a binding that holds the text of a key file. Without a good one, nobody is recognised. */
export class BoundKeys implements CallerCheck {
  readonly challenge: string;
  readonly #namespace: TextNamespace;
  readonly #name: string;
  readonly #keys: ApiKeys;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(namespace: TextNamespace, name: string, alsoBearer: boolean) {
    this.#namespace = namespace;
    this.#name = name;
    this.#keys = new ApiKeys(digest, alsoBearer);
    this.challenge = this.#keys.challenge;
  }

  async recognise(incoming: IncomingCall): Promise<Caller | null> {
    if (Date.now() - this.#readAtMs >= keepMs) {
      this.#keys.use(parseKeys((await this.#namespace.get(this.#name)) ?? '') ?? []);
      this.#readAtMs = Date.now();
    }
    return this.#keys.recognise(incoming);
  }
}
