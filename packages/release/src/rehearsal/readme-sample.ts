import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The first TypeScript block of an installed package's README, or nothing. */
export async function readmeSample(installedPackage: string): Promise<string | undefined> {
  const text = await readFile(join(installedPackage, 'README.md'), 'utf8');
  return /^```ts\n([\s\S]*?)^```$/m.exec(text)?.[1];
}

/** The same sample, speaking to the addresses of the rehearsal instead of the default ones. */
export function withAddresses(sample: string, addresses: Readonly<Record<string, string>>): string {
  return Object.entries(addresses).reduce((text, [from, to]) => text.replaceAll(from, to), sample);
}
