import { operations } from './generated/operations.js';

// What stands in a path names one vehicle, and so a person.
const personal = operations.flatMap(({ parameters }) =>
  Object.values(parameters).flatMap(([place, { pattern }]) => (place === 'path' && pattern ? pattern : [])),
);

/**
 * Text without anything that names a person or opens a door: the values of this call (VIN, token), whatever looks like a
 * VIN, and every query. Cut to 200 characters.
 */
export function redact(text: unknown, secrets: readonly string[]): string {
  return secrets
    .reduce((clean, secret) => clean.replaceAll(secret, '…'), String(text).replace(/\?\S*/g, '?…'))
    .replace(/\w+/g, (word) => (personal.some((pattern) => pattern.test(word)) ? '…' : word))
    .slice(0, 200);
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
