import { writeSync } from 'node:fs';

/** Tells the person who started the program something, on standard error. */
export function say(line: string): void {
  try {
    writeSync(2, `vds-proxy: ${line}\n`);
  } catch {
    // A reader that is behind, or gone, stops nothing.
  }
}
