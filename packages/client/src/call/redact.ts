import { textOf } from '../checks/rules.js';
import { personal } from '../generated/operations.js';

/** The values that no message may repeat and that a text repeats. A shorter one is no token that differs from other text. */
export const secretsIn = (text: string, secrets: readonly string[]) =>
  secrets.filter((secret) => secret.length >= 8 && text.includes(secret));

/**
 * Text that is safe to log: without the secrets of this call (VIN, token, API key), whatever looks like a VIN, every query,
 * and the control and formatting characters with which a text could forge log lines. Cut to 200 characters.
 */
export function redact(text: unknown, secrets: readonly string[]): string {
  let clean = textOf(text);
  for (const secret of secretsIn(clean, secrets)) clean = clean.replaceAll(secret, '…');
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

/**
 * A copy of a cause that is safe to log: some runtimes put the address, and with it the VIN, into their errors. Only so deep, since causes
 * can go in a circle.
 */
export function safeCause(error: unknown, secrets: readonly string[], depth = 4): SafeCause | undefined {
  if (!(depth && error instanceof Error)) return undefined;
  const { name, message, code, cause }: Error & { readonly code?: unknown } = error;
  return Object.assign(new Error(redact(message, secrets)), {
    name,
    code: code && redact(code, secrets),
    cause: safeCause(cause, secrets, depth - 1),
  });
}
