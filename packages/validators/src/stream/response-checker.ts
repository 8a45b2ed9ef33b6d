import type { ValidationIssue } from '../validation-result.js';

/** The verdict: the first issue is that of the object validator, with the byte at which its value begins. */
export type StreamVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly issues: readonly [ValidationIssue]; readonly byteOffset: number };

/** Checks the bytes of one response as they arrive. */
export interface ResponseChecker {
  /**
   * Reads the next piece of the body; it is not kept and not changed. Returns false as soon as there is a violation. `end` decides:
   * a later member of the same name replaces an earlier one, as in JSON.parse.
   * Throws a TypeError for anything but a Uint8Array.
   */
  write(chunk: Uint8Array): boolean;
  /** Says that the body has ended, and gives the verdict. */
  end(): StreamVerdict;
}
