import { constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { attempt } from '../attempt.js';
import { describeError } from '../observability/observer.js';

let descriptor: number | undefined;
/** Keeps a socket at standard error from being collected, which would close it. */
const kept: Socket[] = [];

/**
 * Standard error, as a descriptor whose writes never wait for a reader. It is opened once more, because a mode that is set on the shared
 * one holds for other programs too. Appending to a file, the program's lines and the log never overwrite each other, nor leave a hole
 * where a rotation has cut the file. A file that is standard output as well stays as it is: all who write there share one place in it.
 */
export function standardError(): number {
  descriptor ??= openAgain();
  return descriptor;
}

function openAgain(): number {
  // With big integers: after a plain look at a pipe, Node 20 takes symbolic links of packages for what they point to.
  const [output, errors] = [fstatSync(1, { bigint: true }), fstatSync(2, { bigint: true })];
  if (errors.isFile() && errors.ino === output.ino && errors.dev === output.dev) return 2;
  const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_APPEND;
  const opened = attempt(() => openSync('/proc/self/fd/2', flags));
  // A socket, as systemd gives, cannot be opened again; it is set not to wait instead.
  if (opened === null && errors.isSocket()) kept.push(new Socket({ fd: 2, readable: false }).unref());
  return opened ?? 2;
}

/** Tells the person who started the program something, on standard error. */
export function say(line: string): void {
  // A reader that is behind, or gone, stops nothing.
  attempt(() => writeSync(standardError(), `vds-proxy: ${line}\n`));
}

/** Tells where the program listens, on standard output. */
export function announce(line: string): void {
  attempt(() => writeSync(1, `${line}\n`));
}

/** What went wrong, for the operator: in our own words, or by name and place, as another error's message could quote a setting. */
export function problemOf(error: unknown, problem: string): string {
  if (error instanceof Error && error.message.startsWith('VDS_')) return error.message;
  const { name, frames } = describeError(error, '');
  return [`${problem}: ${name}`, ...frames.slice(0, 3)].join(' at ');
}

export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const found = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
  return String(found);
}
