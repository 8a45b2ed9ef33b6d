import type { Count } from '../limits/counter.js';
import type { Rate } from '../limits/rate.js';

/** What a Worker asks its Durable Object. */
export type StateQuestion =
  | { readonly kind: 'count'; readonly rate: Rate }
  | { readonly kind: 'token'; readonly brand: string; readonly rejected: string | null };

/** A token and how long it can be used, or when to ask again. */
export interface TokenReply {
  readonly token: string | null;
  readonly usableMs: number;
  readonly retryAfterSeconds: number;
}

/** One Durable Object, as far as it is used here. */
interface StateObject {
  fetch(request: Request): Promise<Response>;
}

/** The binding of a class of Durable Objects. */
export interface StateNamespace {
  idFromName(name: string): unknown;
  get(id: unknown): StateObject;
}

/** Whether a binding is a class of Durable Objects. */
export function isStateNamespace(value: unknown): value is StateNamespace {
  return (
    typeof value === 'object' &&
    value !== null &&
    'idFromName' in value &&
    typeof value.idFromName === 'function' &&
    'get' in value
  );
}

/** Time for counting a request, in milliseconds: one second. */
const countTimeoutMs = 1000;

async function ask(
  namespace: StateNamespace,
  name: string,
  question: StateQuestion,
  timeoutMs: number,
): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs);
  const request = new Request('http://state/', { method: 'POST', body: JSON.stringify(question), signal });
  const answer = await namespace.get(namespace.idFromName(name)).fetch(request);
  return answer.json();
}

/** Counts one call at the object of a key. */
export async function askCount(namespace: StateNamespace, key: string, rate: Rate): Promise<Count> {
  const name = `limit ${rate.calls}/${rate.seconds} ${key}`;
  return (await ask(namespace, name, { kind: 'count', rate }, countTimeoutMs)) as Count;
}

/** Asks the object of a brand for its token. */
export async function askToken(
  namespace: StateNamespace,
  brand: string,
  rejected: string | null,
  timeoutMs: number,
): Promise<TokenReply> {
  return (await ask(namespace, `token ${brand}`, { kind: 'token', brand, rejected }, timeoutMs)) as TokenReply;
}
