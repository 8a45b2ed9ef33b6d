import type { NumberRule } from '../value-rules.js';

/** The range of a list of numbers, both ends included. */
export interface NumberRange {
  readonly integer: boolean;
  readonly minimum: number;
  readonly maximum: number;
  /** Made when the first number of a shape is met. */
  readonly shapes: NumberShape[];
}

export const anyNumber: NumberRange = { integer: false, minimum: -Infinity, maximum: Infinity, shapes: [] };

/** The range of a list, for fast scans; none where a bound is excluded, which no signal of the contract has. */
export function numberRange({ exclusiveMinimum, exclusiveMaximum, ...rule }: NumberRule): NumberRange | undefined {
  if ((exclusiveMinimum ?? exclusiveMaximum) !== undefined) return undefined;
  return { ...anyNumber, ...rule, shapes: [] };
}

/** So many digits, and with sign, point and comma so many bytes. */
export const mostShapeDigits = 9;
export const mostShapeBytes = 12;

type NumberShape = Readonly<ReturnType<typeof shapeOfBytes>>;

/** The shape of no number. */
export const noShape: NumberShape = /*#__PURE__*/ shapeOfBytes([]);

/** The shape of numbers that are all in a range, because it limits their first digit. Each is made once. */
export function shapeOf(range: NumberRange, negative: boolean, digits: number, decimals: number): NumberShape {
  const key = (negative ? 100 : 0) + digits * 10 + decimals;
  range.shapes[key] ??= makeShape(range, negative, digits, decimals);
  return range.shapes[key];
}

function makeShape(range: NumberRange, negative: boolean, digits: number, decimals: number): NumberShape {
  const unit = 10 ** (digits - 1);
  const lowest = negative ? -range.maximum : range.minimum;
  const highest = negative ? -range.minimum : range.maximum;
  const first = digits === 1 ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const inRange = first.filter((digit) => digit * unit >= lowest && (digit + 1) * unit <= highest);
  if (inRange.length === 0) return noShape;
  const digit: ByteRange = [48, 57];
  return shapeOfBytes([
    ...(negative ? [[45, 45] as const] : []),
    [48 + Math.min(...inRange), 48 + Math.max(...inRange)],
    ...Array.from({ length: digits - 1 }, () => digit),
    ...(decimals > 0 ? [[46, 46] as const] : []),
    ...Array.from({ length: decimals }, () => digit),
    [44, 44],
  ]);
}

/** The lowest and the highest value of a byte. */
type ByteRange = readonly [number, number];

/**
 * How numbers with so many digits before and after the point are written, up to the comma: three words of four bytes, the first byte
 * lowest. A byte that fits is, less its base, at most 15 less its slack, or 0 where the mask covers all of it.
 */
function shapeOfBytes(bytes: readonly ByteRange[]) {
  const base = wordsOf(bytes.map(([low]) => low));
  const slack = wordsOf(bytes.map(([low, high]) => (low === high ? 0 : 15 - (high - low))));
  const mask = wordsOf(bytes.map(([low, high]) => (low === high ? 0xff : 0xf0)));
  return {
    length: bytes.length,
    base0: base.getInt32(0, true),
    base1: base.getInt32(4, true),
    base2: base.getInt32(8, true),
    slack0: slack.getInt32(0, true),
    slack1: slack.getInt32(4, true),
    slack2: slack.getInt32(8, true),
    mask0: mask.getInt32(0, true),
    mask1: mask.getInt32(4, true),
    mask2: mask.getInt32(8, true),
  };
}

function wordsOf(bytes: readonly number[]): DataView {
  const words = new Uint8Array(mostShapeBytes);
  words.set(bytes);
  return new DataView(words.buffer);
}
