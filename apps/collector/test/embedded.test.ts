import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEmbedded } from '../dist/ledger/embedded.js';

async function place(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vds-embedded-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'ledger');
}

test('an embedded ledger that a crash cut off while it was made is made whole, keeps what it has, and nobody else may enter it', async () => {
  expect(['br', 'json'].every((end) => existsSync(new URL(`../dist/embedded-ledger.${end}`, import.meta.url)))).toBe(
    true,
  );
  const folder = await place();
  // As an operator or an earlier version has made it, and as a crash leaves it: some files, and not the one that is written last.
  await mkdir(join(folder, 'base', '1'), { recursive: true, mode: 0o777 });
  const first = await openEmbedded(folder);
  await first.exec('create table kept (number integer); insert into kept values (42)');
  await first.close();
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readdir(folder)).toContain('PG_VERSION');
  const second = await openEmbedded(folder);
  expect((await second.query('select number from kept')).rows).toEqual([{ number: 42 }]);
  await second.close();
});
