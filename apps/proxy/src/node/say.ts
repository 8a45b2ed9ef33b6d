import { writeSync } from 'node:fs';

/** Tells the person who started the program something, on standard error. */
export function say(line: string): void {
  writeSync(2, `vds-proxy: ${line}\n`);
}
