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

/** A copy of a cause that is safe to log: some runtimes put the address, and with it the VIN, into their errors. */
export function safeCause(
  error: unknown,
  secrets: readonly string[],
): (Error & { readonly code?: unknown }) | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message, code, cause }: Error & { readonly code?: unknown } = error;
  return Object.assign(new Error(redact(message, secrets), { cause: safeCause(cause, secrets) }), {
    name,
    code: code && redact(code, secrets),
  });
}
