import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('./generated/readme/', import.meta.url));
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const samples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);

test('every sample of the README runs and prints what its comments say', () => {
  expect(samples.length).toBe(4);
  mkdirSync(folder, { recursive: true });
  try {
    const printed = samples.map((code, index) => {
      const file = `${folder}sample-${index}.ts`;
      writeFileSync(file, code);
      return execFileSync(process.execPath, [file], { encoding: 'utf8' }).trim();
    });
    expect(printed).toEqual([
      'endDate is 1 day before startDate; it must not be before it',
      '0',
      'SANDB0XA000000001 false',
      '/data/location/heading 31',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
