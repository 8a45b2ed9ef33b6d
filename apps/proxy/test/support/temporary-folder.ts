import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** All temporary files of a run are in one folder, which is removed at its end. */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'vds-proxy-'));
  // Tests that act as another user pass through it.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
