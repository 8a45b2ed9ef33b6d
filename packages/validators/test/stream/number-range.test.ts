import { describe, expect, test } from 'vitest';
import { isInRange, numberRange } from '../../src/stream/number-range.js';

const ranges: readonly (readonly [minimum: number | undefined, maximum: number | undefined])[] = [
  [0, 1677721.4],
  [-4.177, 4.177],
  [-40.96, 40.95],
  [0, 100],
  [1, 5],
  [-5, -1],
  [0.1, 0.3],
  [-0.3, -0.1],
  [undefined, 0],
  [0, undefined],
  [undefined, undefined],
  [-273.15, undefined],
  [0.30000000000000004, 16383.5],
  [1e19, 1e22],
  // Times ten or a hundred, doubles round to an integer on the other side of these bounds.
  [1.7000000000000002, 3.9000000000000004],
  [0.07, 0.57],
  [undefined, 5e-324],
];

/** Numbers near each bound and near powers of ten, with up to nine digits. */
function textsNear(minimum = 0, maximum = 0): readonly string[] {
  const texts = new Set([
    '0',
    '0.0',
    '0.000000001',
    '9',
    '10',
    '99',
    '100',
    '999999999',
    '12345678.9',
    '0.1',
    '0.3',
    '5',
    '1',
  ]);
  for (const bound of [minimum, maximum].map(Math.abs).filter((value) => value < 1e8)) {
    for (let decimals = 0; decimals < 6; decimals++) {
      for (const step of [-2, -1, 0, 1, 2]) texts.add(Math.abs(bound + step * 10 ** -decimals).toFixed(decimals));
    }
  }
  return [...texts].filter((text) => text.replace('.', '').length <= 9);
}

function inRange(text: string, negative: boolean, minimum?: number, maximum?: number): boolean {
  const bytes = new TextEncoder().encode(`[${text}]`);
  return isInRange(bytes, 1, bytes.length - 1, negative, numberRange(false, minimum, maximum));
}

describe.each(ranges)('the range from %s to %s', (minimum, maximum) => {
  test('holds the same numbers of up to nine digits as the doubles that JSON.parse gives', () => {
    for (const text of textsNear(minimum, maximum)) {
      for (const negative of [false, true]) {
        const value = Number(negative ? `-${text}` : text);
        const wanted = value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity);
        expect(inRange(text, negative, minimum, maximum), `${negative ? '-' : ''}${text}`).toBe(wanted);
      }
    }
  });

  test('surely holds every number that is shorter, or as long with a smaller first digit', () => {
    const { sure, sureNegative } = numberRange(false, minimum, maximum);
    for (const [{ digits, first }, sign] of [
      [sure, 1],
      [sureNegative, -1],
    ] as const) {
      if (digits === 0) continue;
      const greatest = [digits > 1 ? 10 ** (digits - 1) - 1e-6 : 0, first > 0 ? first * 10 ** (digits - 1) - 1e-6 : 0];
      for (const value of greatest.map((size) => size * sign)) {
        expect(value).toBeGreaterThanOrEqual(minimum ?? -Infinity);
        expect(value).toBeLessThanOrEqual(maximum ?? Infinity);
      }
    }
  });
});

describe('what is surely in a range', () => {
  test('reaches as far as the first digit of its bounds says', () => {
    const sureOf = (minimum?: number, maximum?: number) => {
      const { sure, sureNegative } = numberRange(false, minimum, maximum);
      return [sure.digits, sure.first, sureNegative.digits, sureNegative.first];
    };
    expect(sureOf(0, 1677721.4)).toEqual([7, 1, 0, 0]);
    expect(sureOf(-40.96, 4.177)).toEqual([1, 4, 2, 4]);
    expect(sureOf(-5, 0)).toEqual([0, 0, 1, 5]);
    expect(sureOf(1, 5)).toEqual([0, 0, 0, 0]);
    expect(sureOf(-5, -1)).toEqual([0, 0, 0, 0]);
    expect(sureOf()).toEqual([21, 0, 21, 0]);
    expect(sureOf(-1e20, 1e21)).toEqual([21, 0, 21, 1]);
  });

  test('is whole where the rule says so', () => {
    expect([numberRange(true).integer, numberRange(false).integer]).toEqual([true, false]);
  });
});

test('a number of more than nine digits is never taken for one in the range', () => {
  expect(inRange('1234567890', false)).toBe(true);
  expect(inRange('12345678.90', false)).toBe(false);
  expect(inRange('12345678901', false)).toBe(false);
  expect(inRange('1.12345678', false)).toBe(true);
  expect(inRange('1.123456789', false)).toBe(false);
});
