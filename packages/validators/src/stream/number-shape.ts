import type { NumberRule } from '../value-rules.js';

/** The range of a list of numbers, both ends included. */
export interface NumberRange {
  readonly integer: boolean;
  readonly minimum: number;
  readonly maximum: number;
  /** Made when the first number of a shape is met. */
  readonly shapes: Map<number, NumberShape>;
  /** The shapes that were met last, in whichever document: the next numbers of a signal are probably written alike. */
  shape: NumberShape;
  other: NumberShape;
}

/** The range of a list, for fast scans; none where a bound is excluded, which no signal of the contract has. */
export function numberRange({ exclusiveMinimum, exclusiveMaximum, ...rule }: NumberRule): NumberRange | undefined {
  if ((exclusiveMinimum ?? exclusiveMaximum) !== undefined) return undefined;
  return { ...unlimited(), ...rule };
}

function unlimited(): NumberRange {
  return { integer: false, minimum: -Infinity, maximum: Infinity, shapes: new Map(), shape: noShape, other: noShape };
}

/** So many digits, and with sign, point and comma so many bytes. */
export const mostShapeDigits = 9;
export const mostShapeBytes = 12;

export interface NumberShape extends ShapeWords {
  /** As many numbers of the shape, one after the other, as the words have room for. */
  readonly run: ShapeWords;
  readonly runItems: number;
  /** Which bytes of a run are its first number, as a mask; of a run of one number, all. */
  readonly first0: number;
  readonly first1: number;
  readonly first2: number;
}

type ShapeWords = Readonly<ReturnType<typeof shapeWords>>;

/** The shape of no number. */
export const noShape: NumberShape = /*#__PURE__*/ shapeOfBytes([]);

export const anyNumber: NumberRange = /*#__PURE__*/ unlimited();

/**
 * The shape of a number with such a first digit, of which all numbers are in the range: those with any first digit that is certainly in
 * range, or with this one and any second digit that is. Each is made once.
 */
export function shapeOf(range: NumberRange, negative: boolean, digits: number, decimals: number, first: number) {
  const key = ((first * 2 + (negative ? 1 : 0)) * 10 + digits) * 10 + decimals;
  let shape = range.shapes.get(key);
  if (!shape) {
    shape = makeShape(range, negative, digits, decimals, first);
    range.shapes.set(key, shape);
  }
  return shape;
}

function makeShape(
  { minimum, maximum }: NumberRange,
  negative: boolean,
  digits: number,
  decimals: number,
  first: number,
) {
  const lowest = negative ? -maximum : minimum;
  const highest = negative ? -minimum : maximum;
  const unit = 10 ** (digits - 1);
  /** The digits with which a number that begins so is in the range, whatever follows. */
  const digitsFrom = (least: number, step: number) =>
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter(
      (digit) => least + digit * step >= lowest && least + (digit + 1) * step <= highest,
    );
  // A zero in front stands alone.
  const firsts = digitsFrom(0, unit).filter((digit) => digit > 0 || digits === 1);
  const isFixed = !firsts.includes(first);
  const seconds = isFixed ? digitsFrom(first * unit, unit / 10) : [];
  const isLimited = seconds.length > 0 && digits + decimals > 1;
  if (isFixed && !isLimited) return noShape;
  const ranges = Array.from({ length: digits + decimals }, () => [48, 57] as ByteRange);
  ranges[0] = isFixed ? [48 + first, 48 + first] : rangeOf(firsts);
  if (isFixed) ranges[1] = rangeOf(seconds);
  return shapeOfBytes([
    ...(negative ? [[45, 45] as const] : []),
    ...ranges.slice(0, digits),
    ...(decimals > 0 ? [[46, 46] as const] : []),
    ...ranges.slice(digits),
    [44, 44],
  ]);
}

function rangeOf(digits: readonly number[]): ByteRange {
  return [48 + Math.min(...digits), 48 + Math.max(...digits)];
}

/** The lowest and the highest value of a byte. */
type ByteRange = readonly [number, number];

function shapeOfBytes(bytes: readonly ByteRange[]): NumberShape {
  const runItems = bytes.length === 0 ? 1 : Math.floor(mostShapeBytes / bytes.length);
  const run = shapeWords(Array.from({ length: runItems }, () => bytes).flat());
  const first = wordsOf(Array.from({ length: runItems === 1 ? mostShapeBytes : bytes.length }, () => 0xff));
  return {
    ...shapeWords(bytes),
    run,
    runItems,
    first0: first.getInt32(0, true),
    first1: first.getInt32(4, true),
    first2: first.getInt32(8, true),
  };
}

/**
 * How numbers with so many digits before and after the point are written, up to the comma: three words of four bytes, the first byte
 * lowest. A byte that fits is, less its base, at most 15 less its slack, or 0 where the mask covers all of it.
 */
function shapeWords(bytes: readonly ByteRange[]) {
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
