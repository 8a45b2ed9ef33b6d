import { personal } from './generated/operations.js';

/** A shorter value is no token that differs from ordinary text. */
const shortestSecret = 8;

/** Whether a text contains one of the values that no message may repeat. */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => secret.length >= shortestSecret && text.includes(secret));
}

/**
 * Text that is safe to log: without the secrets of this call (VIN, token, API key), whatever looks like a VIN, every query,
 * and the control and formatting characters with which a text could forge log lines. Cut to 200 characters.
 */
export function redact(text: unknown, secrets: readonly string[]): string {
  let clean = String(text);
  for (const secret of secrets) if (secret.length >= shortestSecret) clean = clean.replaceAll(secret, '…');
  return clean
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\?\S*/g, '…')
    .replace(personal, '…')
    .slice(0, 200);
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
