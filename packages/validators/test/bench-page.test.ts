import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documents } from '../bench/documents.ts';
import { payloads } from '../bench/payloads.ts';

const page = readFileSync(new URL('../../../docs/performance-validators.md', import.meta.url), 'utf8');
/** The rows of the tables of streamed responses: document, size and the cells behind them. */
const rows = [...page.matchAll(/^\| ([^|]+?) +\| +[\d.]+ k?M?B \|(.+)\|$/gm)];

test('every document of the streaming benchmark is on the page, and nothing else', () => {
  expect(rows.map(([, name]) => name).toSorted()).toEqual(Object.keys(documents).toSorted());
});

test('each row with a goal says whether it is missed', () => {
  const judged = rows.filter(([, , cells = '']) => /met|missed/.test(cells));
  expect(judged.length).toBeGreaterThanOrEqual(10);
  for (const [, name = '', cells = ''] of judged) {
    const [small = '', middle = '', large = '', goal = '', verdict = ''] = cells.split('|').map((cell) => cell.trim());
    expect(goal, name).toBe(/week|trips/.test(name) ? '0.20' : '0.45');
    const isMissed = [small, middle, large].some((ratio) => !(Number(ratio) <= Number(goal)));
    expect(verdict.includes('missed'), name).toBe(isMissed);
  }
});

test('every response of the benchmark of parsed responses is on the page', () => {
  for (const name of Object.keys(payloads)) expect(page, name).toMatch(new RegExp(`\\| +${name}, [\\d.]+ k?M?B `));
});
