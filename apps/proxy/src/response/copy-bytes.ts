/** A copy of bytes that their owner will use again. Not `slice()`: the one of Node's Buffer makes no copy. */
export function copyBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
