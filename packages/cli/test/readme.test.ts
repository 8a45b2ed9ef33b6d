import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startWorld } from './support/vds.ts';

const world = await startWorld();
const markdown = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  .map((match) => match[1] ?? '')
  .filter((block) => block.includes('vds '));

it('every block of the README runs as it is printed, one after the other', { timeout: 120_000 }, async () => {
  expect(blocks.length).toBeGreaterThan(2);
  // A quarter is enough here: the test of a newcomer exports the whole year.
  for (const block of blocks) {
    const { stdout } = await promisify(execFile)(
      'bash',
      ['--norc', '-ec', block.replace('--to 2025-12-31', '--to 2025-03-31')],
      { cwd: world.folder, env: world.env },
    );
    if (block.includes('vds query')) {
      const rows = stdout
        .trim()
        .split('\n')
        .slice(-3)
        .map((line) => JSON.parse(line));
      expect(rows.map(({ month }) => month)).toEqual(['2025-01', '2025-02', '2025-03']);
      expect(Number(rows[0].trips)).toBeGreaterThan(0);
    }
  }
});
