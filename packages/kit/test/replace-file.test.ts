import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replaceFile, replaceFileSync } from '../src/replace-file.ts';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vds-kit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const ways = [
  { name: 'replaceFile', replace: replaceFile },
  { name: 'replaceFileSync', replace: async (path: string, text: string) => replaceFileSync(path, text) },
];

test.each(ways)('$name leaves one file, for its owner alone, with the last of the texts', async ({ replace }) => {
  const folder = await temporaryFolder();
  const path = join(folder, 'state');
  await writeFile(path, 'old', { mode: 0o644 });
  for (const text of ['first', 'second']) await replace(path, text);
  expect(await readdir(folder)).toEqual(['state']);
  expect(await readFile(path, 'utf8')).toBe('second');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test.each(ways)('a reader of a file that $name writes never finds a part of it', async ({ replace }) => {
  const path = join(await temporaryFolder(), 'state');
  const texts = ['a', 'b'].map((letter) => letter.repeat(200_000));
  await replace(path, texts[0] ?? '');
  let isOver = false;
  const reads = (async () => {
    while (!isOver) expect(texts).toContain(await readFile(path, 'utf8'));
  })();
  for (let round = 0; round < 10; round++) await replace(path, texts[round % 2] ?? '');
  isOver = true;
  await reads;
});

test.each(ways)('$name leaves nothing behind where a folder has the name of the file', async ({ replace }) => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'state', 'full'), { recursive: true });
  await expect(replace(join(folder, 'state'), 'text')).rejects.toThrow();
  expect(await readdir(folder)).toEqual(['state']);
});
