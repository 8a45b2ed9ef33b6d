import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkSync } from 'recheck';
import { expect, test } from 'vitest';
import { isBasicDate, isDateTime, isTimeZone } from '../src/formats.js';

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

const words = (list: string) => list.trim().split(/\s+/);
test.each([
  [
    'a calendar day',
    isBasicDate,
    ['20240229'],
    [...words('2024022 202402290 2024-02-29 2024022９ abcdefgh'), '', ' 2024229'],
  ],
  [
    'a date and time',
    isDateTime,
    words(`2026-03-09T07:00:00Z 2026-03-09t07:00:00.123456789z 2024-02-29T23:59:59+14:00 2016-12-31T23:59:60Z
      2017-01-01T00:59:60+01:00 2016-12-31T15:59:60-08:00 0000-01-01T00:00:00-23:59 9999-12-31T23:59:59.9Z
      2026-03-09T07:00:00-00:00 2016-12-31T23:59:60.25z 2017-01-01T05:29:60+05:30 2016-12-31T00:00:60-23:59`),
    [
      ...words(`2026-02-29T07:00:00Z 2026-03-09T24:00:00Z 2026-03-09T07:60:00Z 2026-03-09T07:00:61Z 2026-03-09T07:00:60Z
        2026-03-09T07:00:00 2026-03-09T07:00:00.Z 2026-03-09T07:00:00+01 2026-03-09T07:00:00+0100 2026-03-09T07:00:00+24:00
        2026-03-09T07:00:00+01:60 2026-03-09T07:00Z 2026-3-9T07:00:00Z 20260309T070000Z 2026-00-09T07:00:00Z
        2026-03-00T07:00:00Z 2026-13-09T07:00:00Z 2026-03-32T07:00:00Z 2026-04-31T07:00:00Z 2016-12-31T22:59:60Z
        2016-12-31T23:58:60Z 2017-01-01T00:59:60-01:00 2017-01-01T00:29:60+01:00 x2026-03-09T07:00:00Z
        12026-03-09T07:00:00Z 2016-12-31T23:59:99Z 2026-03-09T07:00:00Zx 2026-03-09T07:00:00,5Z ２０２６-03-09T07:00:00Z`),
      ...['', '2026-03-09 07:00:00Z', '2026-03-09T07:00:00Z\n', ' 2026-03-09T07:00:00Z'],
    ],
  ],
  [
    'a time zone',
    isTimeZone,
    words('UTC GMT Europe/Berlin America/Argentina/Buenos_Aires Etc/GMT+1 Zulu Africa/Abidjan EST CST6CDT'),
    [...words('utc europe/Berlin Europe Berlin Europe/ /UTC :UTC Europe/Berlin,Oslo +01:00 PST'), ''],
  ],
])('%s is what the standard says', (_, isValid, valid, invalid) => {
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
