import { constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { describeError } from '../observability/observer.js';

let descriptor: number | undefined;

/**
 * Standard error. A file is opened once more, to append: the program's lines and the log then never overwrite each other, nor
 * leave a hole where a rotation has cut the file.
 */
export function standardError(): number {
  descriptor ??= fstatSync(2).isFile() ? appendTo('/proc/self/fd/2') : 2;
  return descriptor;
}

function appendTo(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_APPEND);
  } catch {
    return 2;
  }
}

/** Tells the person who started the program something, on standard error. */
export function say(line: string): void {
  try {
    writeSync(standardError(), `vds-proxy: ${line}\n`);
  } catch {
    // A reader that is behind, or gone, stops nothing.
  }
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
