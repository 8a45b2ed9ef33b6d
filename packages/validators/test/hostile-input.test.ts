import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkSync } from 'recheck';
import { describe, expect, test } from 'vitest';
import { isVin, validateRequest, validateResponse } from '../src/index.js';
import { contract } from './contract-examples.ts';

const source = fileURLToPath(new URL('../src/', import.meta.url));

/** Every regular expression in the sources, hand-written and generated; all of them are anchored at their start. */
function regularExpressions(): readonly { readonly file: string; readonly pattern: string; readonly flags: string }[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('types.ts'))
    .flatMap((file) => {
      const code = readFileSync(`${source}${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      const literals = code.matchAll(/\/(\^(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g);
      return [...literals].map(([, pattern = '', flags = '']) => ({ file, pattern, flags }));
    });
}

test('no regular expression has an input that makes it slow', () => {
  const found = regularExpressions();
  expect(found.length).toBeGreaterThan(6);
  const patterns = JSON.stringify(contract['components']?.['schemas']).match(/"pattern"/g) ?? [];
  expect(found.filter(({ file }) => file.includes('generated')).length).toBeGreaterThan(
    Math.min(2, patterns.length - 1),
  );
  for (const { file, pattern, flags } of found) {
    expect(checkSync(pattern, flags).status, `${file}: /${pattern}/${flags}`).toBe('safe');
  }
}, 30_000);

describe('a response of 8 MB in which every sample is wrong', () => {
  const samples = 30_000;
  const trips = Array.from({ length: 12 }, () => ({
    triggerStartTime: '',
    tripLength: -1,
    odometer: { value: new Array<number>(samples).fill(-1) },
    transmission: { gear: new Array<string>(samples).fill('x') },
  }));
  const body = { data: { trips }, meta: {} };

  test('gives one issue, or as many as asked for, and never more than a thousand', () => {
    for (const [maxIssues, count] of [
      [1, 1],
      [20, 20],
      [1e9, 1000],
    ] as const) {
      const result = validateResponse('getDrivingData', 200, body, { maxIssues });
      expect(result.ok ? 0 : result.issues.length).toBe(count);
    }
  });
});

test('a text of 20 million characters is rejected without being read to its end', () => {
  const text = 'x'.repeat(20_000_000);
  expect(isVin(text)).toBe(false);
  const parts = { path: { vin: text }, query: `zoneId=${text}`, headers: {} };
  expect(validateRequest('getDrivingData', parts, { maxIssues: 10 }).ok).toBe(false);
});
