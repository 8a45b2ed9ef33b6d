/** A member of anything; `undefined` where there is none. Getters and prototypes are not read. */
export function memberAt(value: unknown, name: string): unknown {
  return isRecord(value) ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

/** Whether a value is an object with members. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
