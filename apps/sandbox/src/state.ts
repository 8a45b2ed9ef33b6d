import { z } from 'zod';
import type { Consents } from './consents.js';
import { grantKinds, type Tokens } from './tokens.js';

/** A place that keeps one text: the state of a sandbox. */
export interface StateStore {
  /** The text that was kept last, or null if there is none yet. Called once, at the start. */
  readonly load: () => string | null;
  /** Keeps a text in place of the one before. A call that changes the state gets its response only after this has finished. */
  readonly save: (text: string) => void | Promise<void>;
}

const grant = z.object({
  kind: z.enum(grantKinds),
  owner: z.string(),
  expiresAtMs: z.number(),
  redirectUrl: z.string().nullish(),
});
const stateSchema = z.object({
  version: z.literal(1),
  consents: z.record(z.string(), z.enum(['shared', 'withdrawn', 'never'])),
  tokens: z.record(z.string(), grant),
});

/** The state as a text. */
export function stateText(consents: Consents, tokens: Tokens): string {
  return `${JSON.stringify({ version: 1, consents: consents.changes(), tokens: tokens.all() }, null, 2)}\n`;
}

/** Takes over a state. @throws Error if the text is not a state of this version. */
export function restoreState(text: string, consents: Consents, tokens: Tokens): void {
  try {
    const state = stateSchema.parse(JSON.parse(text));
    consents.restore(state.consents);
    tokens.restore(state.tokens);
  } catch {
    // The error of the parser would quote the text, and with it tokens.
    throw new Error('the state is not one of this version of the sandbox');
  }
}
