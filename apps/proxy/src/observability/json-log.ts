import { constants, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
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
    fd: openWithoutBlocking(),
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

/** Keeps a socket at standard error from being collected, which would close it. */
const kept: Socket[] = [];

/** Standard error as a descriptor whose writes never wait. */
function openWithoutBlocking(): number {
  // A file never makes anyone wait.
  if (fstatSync(2).isFile()) return standardError();
  try {
    // One of our own: a mode that is set on the shared one holds for other programs too.
    return openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_APPEND);
  } catch {
    // A socket, as systemd gives, cannot be opened again; it is set not to wait instead.
    if (fstatSync(2).isSocket()) kept.push(new Socket({ fd: 2, readable: false }).unref());
    return 2;
  }
}
