/** The value at a JSON Pointer of the bundle, or `undefined`. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, part.replaceAll('~1', '/').replaceAll('~0', '~'))?.value;
  }
  return value;
}

/** The members of an object of the bundle; none for anything else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The name of the component schema that a reference of the bundle names, or `undefined`. */
export function schemaNameOf(reference: unknown): string | undefined {
  const prefix = '#/components/schemas/';
  return typeof reference === 'string' && reference.startsWith(prefix) ? reference.slice(prefix.length) : undefined;
}
