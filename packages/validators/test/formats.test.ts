import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkSync } from 'recheck';
import { expect, test } from 'vitest';
import { isBasicDate, isDateTime, isTimeZone } from '../src/formats.js';
import { dateTimes, words } from './differential/inputs.ts';

test('a calendar day is one that JavaScript has too, for every number of eight digits that looks like one', () => {
  for (let year = 1899; year <= 2101; year++) {
    for (let month = 0; month <= 13; month++) {
      for (let date = 0; date <= 32; date++) {
        const [mm, dd] = [month, date].map((number) => String(number).padStart(2, '0'));
        const time = Date.parse(`${year}-${mm}-${dd}T00:00:00Z`);
        const exists = !Number.isNaN(time) && new Date(time).getUTCDate() === date;
        if (isBasicDate(`${year}${mm}${dd}`) !== exists) expect.fail(`${year}${mm}${dd}`);
      }
    }
  }
});

test.each([
  {
    story: 'a calendar day',
    isValid: isBasicDate,
    valid: ['20240229'],
    invalid: [...words('2024022 202402290 2024-02-29 2024022９ abcdefgh'), '', ' 2024229'],
  },
  { story: 'a date and time', isValid: isDateTime, valid: dateTimes.valid, invalid: dateTimes.invalid },
  {
    story: 'a time zone',
    isValid: isTimeZone,
    valid: words('UTC GMT Europe/Berlin America/Argentina/Buenos_Aires Etc/GMT+1 Zulu Africa/Abidjan EST CST6CDT'),
    invalid: [...words('utc europe/Berlin Europe Berlin Europe/ /UTC :UTC Europe/Berlin,Oslo +01:00 PST'), ''],
  },
])('a format is what the standard says: $story', ({ isValid, valid, invalid }) => {
  expect(valid.filter((text) => !isValid(text))).toEqual([]);
  expect(invalid.filter(isValid)).toEqual([]);
});

test('no regular expression in the sources, all of them anchored at their start, has an input that makes it slow', () => {
  const source = fileURLToPath(new URL('../src/', import.meta.url));
  const found = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('types.ts'))
    .flatMap((file) => {
      const code = readFileSync(`${source}${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      const literals = code.matchAll(/\/(\^(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g);
      return [...literals].map(([, pattern = '', flags = '']) => ({ file, pattern, flags }));
    });
  expect(found.filter(({ file }) => file.includes('generated')).length).toBeGreaterThan(0);
  expect(found.length).toBeGreaterThan(6);
  for (const { file, pattern, flags } of found) {
    expect(checkSync(pattern, flags).status, `${file}: /${pattern}/${flags}`).toBe('safe');
  }
});
