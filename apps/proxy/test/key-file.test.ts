import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { watchKeyFile } from '../src/auth/key-file.js';
import { printKeys } from '../src/auth/key-record.js';

it('a key file that changes right after it was read is read again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vds-key-file-'));
  const path = join(folder, 'keys.json');
  writeFileSync(path, printKeys([]));
  const seen: unknown[] = [];
  const { records, close } = watchKeyFile(path, (changed) => seen.push(changed));
  writeFileSync(path, 'no key file');
  try {
    expect(records).toEqual([]);
    await expect.poll(() => seen).toEqual([null]);
  } finally {
    close();
    rmSync(folder, { recursive: true, force: true });
  }
});
