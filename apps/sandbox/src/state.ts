import { type Consents, isConsent } from './consents.js';
import { isObject, type JsonObject } from './json-value.js';
import type { Grant, TokenSnapshot, Tokens } from './tokens.js';

/** A place that keeps one text: the state of a sandbox. */
export interface StateStore {
  /** The text that was kept last, or null if there is none yet. Called once, at the start. */
  readonly load: () => string | null;
  /** Keeps a text in place of the one before. A call that changes the state gets its response only after this has finished. */
  readonly save: (text: string) => void | Promise<void>;
}

const version = 1;

/** Keeps consent and tokens as they are now. */
export async function writeState(store: StateStore, consents: Consents, tokens: Tokens): Promise<void> {
  const state = { version, consents: consents.changes(), tokens: tokens.snapshot() };
  await store.save(`${JSON.stringify(state, null, 2)}\n`);
}

/** Takes over what was kept. @throws Error if the text is not a state of this version. */
export function readState(store: StateStore, consents: Consents, tokens: Tokens): void {
  const text = store.load();
  if (text === null) return;
  const state = parse(text);
  if (!isObject(state) || state['version'] !== version) {
    throw new Error('the state is not one of this version of the sandbox');
  }
  const { consents: kept, tokens: grants } = state;
  if (!isObject(kept) || !isObject(grants) || !isSnapshot(grants)) throw new Error('the state is not complete');
  for (const [vin, consent] of Object.entries(kept)) {
    if (!isConsent(consent)) throw new Error('the state holds a consent that is not known');
    consents.set(vin, consent);
  }
  tokens.restore(grants);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the text, and with it tokens.
    throw new Error('the state is not JSON');
  }
}

function isSnapshot(value: JsonObject): value is JsonObject & TokenSnapshot {
  return ['access', 'refresh', 'codes'].every((kind) => {
    const grants = value[kind];
    return isObject(grants) && Object.values(grants).every(isGrant);
  });
}

function isGrant(value: unknown): value is Grant {
  return isObject(value) && typeof value['owner'] === 'string' && typeof value['expiresAtMs'] === 'number';
}
