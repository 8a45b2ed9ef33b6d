// The log of the program on standard error. Lines are collected and written in pieces, aside from the requests.
import sonicBoom from 'sonic-boom';
import { type LogLevel, RequestLog } from '../observability/request-log.js';
import { isReplica } from './replica.js';
import { standardError } from './terminal.js';

/** Bytes of lines that wait to be written: 1 MB. Further lines are dropped and counted. */
const maxWaitingBytes = 1_048_576;
/** Length of a piece: what Docker reads at once. Of several processes, pieces up to 4096 bytes stay whole in a pipe (PIPE_BUF). */
const pieceLength = isReplica() ? 4096 : 16_384;
/** The longest time that a line waits for others, in milliseconds. */
const pieceMs = 100;
/** Time for the last lines to be written when the program ends, in milliseconds. */
const flushMs = 500;

/** As pino and others number them. */
const levels = { info: 30, error: 50 };

/**
 * Opens the log on standard error. Lines are written aside from the requests, so a reader that stalls stops none of them.
 *
 * @param onDropped receives how many lines are dropped because their reader is behind
 * @returns the log, and what writes the lines that still wait, as far as their reader takes them in half a second
 */
export function openJsonLog(level: LogLevel, onDropped: (lines: number) => void) {
  let closing = false;
  const stream = new sonicBoom.SonicBoom({
    fd: standardError(),
    sync: false,
    minLength: 1,
    maxLength: maxWaitingBytes,
    maxWrite: pieceLength,
    // A reader that is gone, or stalls while the program ends, is not waited for.
    retryEAGAIN: () => !closing,
  });
  stream.on('drop', (piece: string) => onDropped(piece.split('\n').length - 1));
  stream.on('error', () => {});
  // Lines are put together from many small texts. As bytes they are copied once, now, and not looked for all over the memory later.
  const piece = Buffer.allocUnsafeSlow(pieceLength);
  let length = 0;
  const writePiece = () => {
    if (length === 0) return;
    const lines = piece.toString('latin1', 0, length);
    length = 0;
    stream.write(lines);
  };
  const timer = setInterval(writePiece, pieceMs).unref();
  const log = new RequestLog(level, (severity, members) => {
    const line = `{"level":${levels[severity]},"time":"${timeText()}",${members}}\n`;
    if (length + line.length > pieceLength) writePiece();
    // Of ASCII alone, a line has as many bytes as characters.
    if (line.length > pieceLength) stream.write(line);
    else length += piece.write(line, length, 'latin1');
  });
  return {
    log,
    async close() {
      clearInterval(timer);
      writePiece();
      await Promise.race([
        new Promise<void>((resolve) => stream.flush(() => resolve())),
        new Promise<void>((resolve) => setTimeout(resolve, flushMs)),
      ]);
      closing = true;
    },
  };
}

let textMs = 0;
let text = '';

/** The time as text. Many lines have the same. */
function timeText(): string {
  const nowMs = Date.now();
  if (nowMs !== textMs) {
    textMs = nowMs;
    text = new Date(nowMs).toISOString();
  }
  return text;
}
