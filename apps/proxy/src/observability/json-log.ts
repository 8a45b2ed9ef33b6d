import { destination, pino } from 'pino';
import { standardError } from '../node/terminal.js';
import { type LogLevel, RequestLog } from './request-log.js';

/** Bytes of lines that wait to be written: 1 MB. Further lines are dropped and counted. */
const maxWaitingBytes = 1_048_576;
/** Lines up to this size stay in one piece when several processes write to one pipe, in bytes. */
const maxWriteBytes = 4096;
/** Time for the last lines to be written when the program ends, in milliseconds. */
const flushMs = 500;

/**
 * Opens the log on standard error. Lines are written aside from the requests, so a reader that stalls stops none of them.
 *
 * @param onDropped receives every line that is dropped because its reader is behind
 * @returns the log, and what writes the lines that still wait, as far as their reader takes them in half a second
 */
export function openJsonLog(level: LogLevel, onDropped: () => void) {
  let closing = false;
  const stream = destination({
    fd: standardError(),
    sync: false,
    minLength: maxWriteBytes / 2,
    maxLength: maxWaitingBytes,
    maxWrite: maxWriteBytes,
    periodicFlush: 100,
    // A reader that is gone, or stalls while the program ends, is not waited for.
    retryEAGAIN: () => !closing,
  });
  stream.on('drop', onDropped);
  stream.on('error', () => {});
  const lines = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  return {
    log: new RequestLog(level, (severity, fields) => lines[severity](fields)),
    async close() {
      await Promise.race([
        new Promise<void>((resolve) => stream.flush(() => resolve())),
        new Promise<void>((resolve) => setTimeout(resolve, flushMs)),
      ]);
      closing = true;
    },
  };
}
