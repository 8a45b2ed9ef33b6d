import { type Consent, type Consents, consentValues } from './consents.js';
import type { Grant, TokenSnapshot, Tokens } from './tokens.js';

/** A place that keeps one text: the state of a sandbox. */
export interface StateStore {
  /** The text that was kept last, or null if there is none yet. Called once, at the start. */
  readonly load: () => string | null;
  /** Keeps a text in place of the one before. A change is answered only after this has finished. */
  readonly save: (text: string) => void | Promise<void>;
}

const version = 1;

/** Keeps consent and tokens as they are now. */
export async function writeState(store: StateStore, consents: Consents, tokens: Tokens): Promise<void> {
  await store.save(
    `${JSON.stringify({ version, consents: consents.entries(), tokens: tokens.snapshot() }, null, 2)}\n`,
  );
}

/** Takes over what was kept. @throws Error if the text is not a state of this version. */
export function readState(store: StateStore, consents: Consents, tokens: Tokens): void {
  const text = store.load();
  if (text === null) return;
  const state = parse(text);
  if (!isRecord(state) || state['version'] !== version)
    throw new Error('the state is not one of this version of the sandbox');
  const { consents: kept, tokens: grants } = state;
  if (!isRecord(kept) || !isRecord(grants) || !isSnapshot(grants)) throw new Error('the state is not complete');
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isConsent(value: unknown): value is Consent {
  return (consentValues as readonly unknown[]).includes(value);
}

function isSnapshot(value: Record<string, unknown>): value is Record<string, unknown> & TokenSnapshot {
  return ['access', 'refresh', 'codes'].every(
    (kind) => isRecord(value[kind]) && Object.values(value[kind]).every(isGrant),
  );
}

function isGrant(value: unknown): value is Grant {
  return isRecord(value) && typeof value['owner'] === 'string' && typeof value['expiresAtMs'] === 'number';
}
