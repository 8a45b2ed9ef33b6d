import { mkdir, rm, writeFile } from 'node:fs/promises';
import { ContractError } from './place.ts';

const note = '// Generated from the contract. Do not edit.\n';
type Files = Readonly<Record<string, string>>;

/**
 * Fills a folder with what a generator makes, texts by name, and nothing else. A ContractError ends the process without a stack.
 *
 * @param keepsOthers whether files that are not made this time stay as they are
 */
export async function writeGenerated(
  folder: URL,
  make: () => Files | Promise<Files>,
  { keepsOthers = false } = {},
): Promise<void> {
  try {
    if (!keepsOthers) await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    // What is copied from another package has the note already.
    for (const [name, text] of Object.entries(await make()))
      await writeFile(new URL(name, folder), `${note}${text.replace(note, '').trimEnd()}\n`);
  } catch (error) {
    console.error(error instanceof ContractError ? error.message : error);
    process.exit(1);
  }
}
