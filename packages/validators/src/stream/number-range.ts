/** The range of a list of numbers, ready to be compared with digits instead of doubles. */
export interface NumberRange {
  readonly integer: boolean;
  /** Numbers with fewer digits before the point, or as many and a smaller first one, are surely in the range; by sign. */
  readonly sure: Sure;
  readonly sureNegative: Sure;
  /** By number of decimals: the least and the greatest value, in units of the last decimal. */
  readonly least: Float64Array;
  readonly greatest: Float64Array;
}

interface Sure {
  readonly digits: number;
  readonly first: number;
}

const mostDigits = 9;

/**
 * Prepares a range. With up to nine digits, digits ÷ 10^decimals is the very double that JSON.parse gives for the number, so
 * comparing the digits as an integer with the bound in the same unit gives the same verdict.
 */
export function numberRange(integer: boolean, minimum = -Infinity, maximum = Infinity): NumberRange {
  const units = Array.from({ length: mostDigits + 1 }, (_, decimals) => 10 ** decimals);
  return {
    integer,
    sure: minimum <= 0 ? sureBelow(maximum) : nothingSure,
    sureNegative: maximum >= 0 ? sureBelow(-minimum) : nothingSure,
    least: Float64Array.from(units, (unit) => leastFrom(minimum, unit)),
    greatest: Float64Array.from(units, (unit) => -leastFrom(-maximum, unit)),
  };
}

/** The least number of units that is not below a bound. The product is rounded, so it may lie on the other side of an integer. */
function leastFrom(bound: number, unit: number): number {
  const near = Math.floor(bound * unit);
  return near / unit < bound ? near + 1 : near;
}

const nothingSure: Sure = { digits: 0, first: 0 };

/** How long a number without its sign can be and still be surely below a bound. */
function sureBelow(bound: number): Sure {
  if (bound <= 0) return nothingSure;
  // Far from the end of the doubles: a number of 300 digits is finite.
  if (bound >= 1e21) return { digits: 21, first: 0 };
  const text = String(Math.trunc(bound));
  return { digits: text.length, first: Number(text[0]) };
}

/** Whether a number of plain digits is in the range; false also where it has too many digits to be sure. */
export function isInRange(
  bytes: Uint8Array,
  start: number,
  end: number,
  negative: boolean,
  range: NumberRange,
): boolean {
  let digits = 0;
  let decimals = -1;
  if (end - start > mostDigits + 1) return false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === 46) decimals = 0;
    else {
      digits = digits * 10 + byte - 48;
      if (decimals >= 0) decimals++;
    }
  }
  const value = negative ? -digits : digits;
  const unit = Math.max(0, decimals);
  return value >= (range.least[unit] as number) && value <= (range.greatest[unit] as number);
}
