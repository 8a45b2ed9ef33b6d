import { readFileSync, writeSync } from 'node:fs';

/** Tells the person who started the program something, on standard error. */
export function say(line: string): void {
  try {
    writeSync(2, `vds-proxy: ${line}\n`);
  } catch {
    // A reader that is behind, or gone, stops nothing.
  }
}

export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const found = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
  return String(found);
}
