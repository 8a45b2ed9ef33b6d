import { personal } from './generated/operations.js';

/**
 * Text without anything that names a person or opens a door: the values of this call (VIN, token), whatever looks like a
 * VIN, and every query. Cut to 200 characters.
 */
export function redact(text: unknown, secrets: readonly string[]): string {
  let clean = String(text);
  for (const secret of secrets) clean = clean.replaceAll(secret, '…');
  return clean.replace(/\?\S*/g, '…').replace(personal, '…').slice(0, 200);
}

/** An error of the runtime, without what logs must not show. */
export interface SafeCause extends Error {
  readonly code?: unknown;
  readonly cause?: SafeCause | undefined;
}

/** A copy of a cause that is safe to log: some runtimes put the address, and with it the VIN, into their errors. */
export function safeCause(error: unknown, secrets: readonly string[]): SafeCause | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message, code, cause }: Error & { readonly code?: unknown } = error;
  return Object.assign(new Error(redact(message, secrets)), {
    name,
    code: code && redact(code, secrets),
    cause: safeCause(cause, secrets),
  });
}
