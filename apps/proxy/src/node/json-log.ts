import { type LogLevel, lineOf, wantsLine } from '../log-line.js';
import type { CallRecord, Observer } from '../observer.js';

/**
 * Writes one line of JSON for each call. Lines are collected and written together, at the latest after a tenth of a second.
 *
 * @param write takes lines; the bytes are used again once it returns
 * @param heldBytes of lines that are written together
 */
export function jsonLog(
  level: LogLevel,
  write: (lines: Uint8Array) => void,
  heldBytes = 65_536,
): Observer & { flush(): void } {
  // Bytes and not text: text that waits is made of many small pieces, which the garbage collector copies to and fro.
  const held = Buffer.allocUnsafeSlow(level === 'silent' ? 0 : heldBytes);
  let used = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (used > 0) write(held.subarray(0, used));
    used = 0;
  };
  const call = (record: CallRecord) => {
    if (!wantsLine(level, record)) return;
    const line = `${lineOf(record, level === 'debug')}\n`;
    // A character is at most three bytes.
    if (used + line.length * 3 > heldBytes) flush();
    used += held.write(line, used);
    timer ??= setTimeout(flush, 100).unref();
  };
  return { call, flush };
}
