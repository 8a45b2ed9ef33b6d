import type { IncomingCall } from '../decide.js';
import type { Rate } from '../limits/rate.js';

/** Somebody who may call, and what for. */
export interface Caller {
  /** Identifier for limits and logs; never a key, a token or a person's name. */
  readonly id: string;
  /** Brands that the caller may name; `null` for all. */
  readonly brands: ReadonlySet<string> | null;
  /** Identifiers of the operations that the caller may use; `null` for all. */
  readonly operations: ReadonlySet<string> | null;
  /** The caller's own rate; `null` for that of the settings. */
  readonly rate: Rate | null;
}

/** Finds out who calls. */
export interface CallerCheck {
  /** Value of `WWW-Authenticate` on a refusal, https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1 */
  readonly challenge: string;
  /** The caller, or `null` when the credentials are missing or not valid. Answers at once where it can. */
  recognise(incoming: IncomingCall): Caller | null | Promise<Caller | null>;
}

/** The caller where callers are not told apart. */
export const anyone: Caller = { id: '', brands: null, operations: null, rate: null };
