import { operations } from './generated/operations.js';

// What stands in a path names one vehicle, and so a person.
const personal = operations.flatMap(({ parameters }) =>
  Object.values(parameters).flatMap(([place, , { pattern }]) => (place === 'path' && pattern ? [pattern] : [])),
);

/**
 * Text without anything that names a person or opens a door: the values of this call (VIN, token), whatever looks like a
 * VIN, and every query. Cut to 200 characters.
 */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text.replace(/\?\S*/g, '?…');
  for (const secret of secrets) if (secret) clean = clean.replaceAll(secret, '…');
  return clean.replace(/\w+/g, (word) => (personal.some((pattern) => pattern.test(word)) ? '…' : word)).slice(0, 200);
}

/** A copy of a cause that is safe to log: some runtimes put the address, and with it the VIN, into their errors. */
export function safeCause(error: unknown, secrets: readonly string[]): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const inner = safeCause(error.cause, secrets);
  const copy = new Error(redact(error.message, secrets), inner && { cause: inner });
  copy.name = error.name;
  return 'code' in error && typeof error.code === 'string' ? Object.assign(copy, { code: error.code }) : copy;
}
