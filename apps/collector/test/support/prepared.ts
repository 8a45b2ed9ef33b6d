// Data folders of databases that are made once for all tests of a run, and copied: making one takes several seconds of a processor.
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const variable = 'VDS_TEST_PREPARED';

/** Of vitest: removes at the end what the run has prepared. */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'vds-prepared-'));
  // PostgreSQL, which runs as another user, passes through it.
  chmodSync(folder, 0o755);
  process.env[variable] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Copies to `to` what `make` makes in an empty place; a run makes it once. Outside vitest, it is made each time. */
export async function copyOfPrepared(name: string, to: string, make: (at: string) => Promise<void>): Promise<void> {
  const folder = process.env[variable];
  if (folder === undefined) return make(to);
  const prepared = join(folder, name);
  if (!existsSync(prepared)) {
    const own = mkdtempSync(join(folder, 'making-'));
    await make(join(own, name));
    try {
      renameSync(join(own, name), prepared);
    } catch (error) {
      // Another worker was first.
      if (!existsSync(prepared)) throw error;
    }
    rmSync(own, { recursive: true, force: true });
  }
  await cp(prepared, to, { recursive: true });
}
