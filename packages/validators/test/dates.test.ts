import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dateRange } from '../src/date-range.js';
import { startFindings } from '../src/findings.js';
import { isBasicDate } from '../src/formats/calendar-date.js';
import { verdictDigest } from './date-verdicts.ts';

const day = 86_400_000;
const upToSevenDays = dateRange('start', 'end', 7);

/** What is said about the range of two days, if anything. */
function rangeProblem(start: string, end: string): string | undefined {
  const findings = startFindings('request');
  upToSevenDays(findings, { start, end }, { path: {}, query: '', headers: {} });
  return findings.issues[0]?.message;
}

/** The oracle: the calendar of JavaScript's own Date, in UTC. */
function basicDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
}

function isRealDay(text: string): boolean {
  if (!/^[0-9]{8}$/.test(text)) return false;
  const iso = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso);
}

describe('the range of two days', () => {
  test('equals the difference of calendar days for every day from 1999 to 2101 and every distance near a boundary', () => {
    let compared = 0;
    for (let start = Date.UTC(1999, 0, 1); start < Date.UTC(2102, 0, 1); start += day) {
      const from = basicDate(start);
      for (const days of [-366, -31, -8, -7, -1, 0, 1, 6, 7, 8, 9, 28, 31, 365, 366]) {
        const problem = rangeProblem(from, basicDate(start + days * day));
        const expected = days < 0 ? `end is ${-days} day` : days > 7 ? `end is ${days} days after` : undefined;
        if (expected === undefined ? problem !== undefined : !problem?.startsWith(expected)) {
          expect.fail(`${from} and ${days} days later: ${problem}`);
        }
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(500_000);
  });
});

describe('a calendar day', () => {
  test('is accepted exactly when the oracle knows it, for every number of eight digits that looks like a date', () => {
    for (let year = 1999; year <= 2101; year++) {
      for (let month = 0; month <= 13; month++) {
        for (let date = 0; date <= 32; date++) {
          const text = `${year}${String(month).padStart(2, '0')}${String(date).padStart(2, '0')}`;
          if (isBasicDate(text) !== isRealDay(text)) expect.fail(text);
        }
      }
    }
    expect(isBasicDate('20000229')).toBe(true);
    expect(isBasicDate('19000229')).toBe(false);
  });

  test('is judged as the oracle does on 1,000,000 random texts', () => {
    const characters = '0123456789012301231-/ ０x';
    let seed = 1;
    let valid = 0;
    const next = (limit: number) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return (seed >>> 8) % limit;
    };
    for (let run = 0; run < 1_000_000; run++) {
      const digits = run % 4 === 0 ? characters.length : 10;
      const length = run % 7 === 0 ? next(10) : 8;
      let text = '';
      while (text.length < length) {
        text += run % 3 === 0 && text.length === 4 ? '0' : characters.charAt(next(digits));
      }
      const verdict = isRealDay(text);
      if (verdict) valid++;
      if (isBasicDate(text) !== verdict) expect.fail(JSON.stringify(text));
    }
    expect(valid).toBeGreaterThan(10_000);
  });
});

describe('verdicts about dates', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const script = fileURLToPath(new URL('./date-verdicts.ts', import.meta.url));

  test.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Australia/Lord_Howe'])(
    'are the same in the time zone %s',
    (TZ) => {
      const digest = execFileSync(process.execPath, [script, '--print'], { env: { ...process.env, TZ } })
        .toString()
        .trim();
      expect(digest).toBe(verdictDigest());
    },
  );

  test.each([new Date(0), new Date('2024-02-29T23:59:59Z'), new Date('2100-01-01')])(
    'are the same when the clock says %s',
    (now) => {
      const before = verdictDigest();
      vi.setSystemTime(now);
      expect(verdictDigest()).toBe(before);
    },
  );
});
