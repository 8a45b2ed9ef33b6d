const decoder = new TextDecoder('utf-8', { fatal: true });

/** Greatest size of an error response that is held for a look, in bytes: 64 kB. */
export const maxErrorBodyBytes = 65_536;

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array | null> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const plain = new Uint8Array(maxErrorBodyBytes);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return plain.subarray(0, length);
    if (length + value.length > maxErrorBodyBytes) {
      await reader.cancel();
      return null;
    }
    plain.set(value, length);
    length += value.length;
  }
}

function codeInText(bytes: Uint8Array): string | null {
  const value: unknown = JSON.parse(decoder.decode(bytes));
  if (typeof value !== 'object' || value === null || !('error' in value)) return null;
  const { error } = value;
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null;
}

/**
 * The `error.code` of an error response, or `null` when its bytes are not the service's error envelope (interface, section 2.2).
 * Only what clients decide by is asked for: an `error` with a string `code`.
 *
 * @param coding `gzip` when the bytes are compressed; they are inflated for the look only, up to `maxErrorBodyBytes`
 */
export function errorCodeOf(
  bytes: Uint8Array<ArrayBuffer>,
  coding: string | undefined,
): string | null | Promise<string | null> {
  if (coding === 'gzip') {
    return inflate(bytes)
      .then((plain) => (plain === null ? null : codeInText(plain)))
      .catch(() => null);
  }
  try {
    return codeInText(bytes);
  } catch {
    return null;
  }
}
