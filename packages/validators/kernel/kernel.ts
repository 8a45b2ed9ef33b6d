// The fast scans of the streaming checker for WebAssembly with 128-bit SIMD, in AssemblyScript. Each passes over items that are
// surely valid and stops before any other, which the JavaScript scans then decide; so no verdict depends on this file. The bytes
// lie at the start of the memory.

/** How many items `numbers` has passed. */
export let items: i32 = 0;

/**
 * Passes over compact items of a list of numbers, 64 bytes at a time.
 *
 * Every mask below has a bit for each of the 64 bytes. A number is surely in range when it has fewer than so many digits before
 * the point, or as many and a smaller first one, as in src/stream/number-range.ts.
 *
 * @param at where an item begins
 * @param end where the bytes end
 * @returns where the first item begins that is not passed
 */
export function numbers(
  at: i32,
  end: i32,
  integer: bool,
  digits: i32,
  first: i32,
  digitsNegative: i32,
  firstNegative: i32,
): i32 {
  items = 0;
  while (at + 64 <= end) {
    const a = v128.load(at);
    const b = v128.load(at + 16);
    const c = v128.load(at + 32);
    const d = v128.load(at + 48);
    let commas = whereEqual(a, b, c, d, 44);
    const points = whereEqual(a, b, c, d, 46);
    const signs = whereEqual(a, b, c, d, 45);
    const zeros = whereEqual(a, b, c, d, 48);
    const figures = gather(isFigure(a), isFigure(b), isFigure(c), isFigure(d));
    // Whole items only: up to the last comma before any byte that no number has.
    const others = ~(commas | points | signs | figures);
    if (others != 0) commas &= below(others);
    if (commas == 0) break;
    const whole = upToLast(commas);

    const starts = ((commas << 1) | 1) & whole;
    const signed = (starts & signs) << 1;
    const unsigned = starts & ~signs;
    const leading = signed | unsigned;
    const decimals = points << 1;
    const wrong =
      // A sign stands only in front, and a digit behind it or in its place: no item is empty.
      (signs & ~starts) |
      (leading & ~figures) |
      // No digit follows a zero in front.
      (leading & zeros & (figures >> 1)) |
      // A digit stands before and behind a point; an integer has none.
      (points & ~((figures << 1) & (figures >> 1))) |
      (integer ? points : 0) |
      // Adding to the first decimal carries to the byte behind the last one: that is the comma, and no second point.
      ((figures + (decimals & figures)) & ~figures & ~commas) |
      unsure(a, b, c, d, unsigned, figures, digits, first) |
      unsure(a, b, c, d, signed, figures, digitsNegative, firstNegative);
    const stop = wrong & whole;
    if (stop != 0) commas &= below(stop);
    if (commas == 0) break;
    items += <i32>popcnt(commas);
    at += 64 - <i32>clz(commas);
    if (stop != 0) break;
  }
  return at;
}

/** Numbers, by their first digit, with more digits before the point than are surely in range, or as many and a high first one. */
@inline
function unsure(a: v128, b: v128, c: v128, d: v128, leading: u64, figures: u64, digits: i32, first: i32): u64 {
  if (digits == 0) return leading;
  let long = leading;
  for (let digit = 1; digit < digits && long != 0; digit++) long &= figures >> digit;
  if (long == 0) return 0;
  const high = i8x16.splat(<i8>(48 + first));
  const isHigh = gather(i8x16.ge_u(a, high), i8x16.ge_u(b, high), i8x16.ge_u(c, high), i8x16.ge_u(d, high));
  return long & (isHigh | (figures >> digits));
}

@inline
function isFigure(bytes: v128): v128 {
  return i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(48)), i8x16.splat(10));
}

/** Where, in 64 bytes, one byte stands. */
@inline
function whereEqual(a: v128, b: v128, c: v128, d: v128, byte: i8): u64 {
  const wanted = i8x16.splat(byte);
  return gather(i8x16.eq(a, wanted), i8x16.eq(b, wanted), i8x16.eq(c, wanted), i8x16.eq(d, wanted));
}

/** One bit for each of 64 bytes. */
@inline
function gather(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    <u64>(<u32>(i8x16.bitmask(a) | (i8x16.bitmask(b) << 16))) |
    (<u64>(<u32>(i8x16.bitmask(c) | (i8x16.bitmask(d) << 16))) << 32)
  );
}

/** All bits below the lowest one that is set. */
@inline
function below(mask: u64): u64 {
  return (mask & (0 - mask)) - 1;
}

/** All bits up to the highest one that is set, and that one. */
@inline
function upToLast(mask: u64): u64 {
  return <u64>-1 >> clz(mask);
}

/** How many bytes from one place on are those that stand so many bytes earlier, give or take what is left of 16. */
export function repeated(at: i32, end: i32, distance: i32): i32 {
  let place = at;
  while (place + 16 <= end && i8x16.all_true(i8x16.eq(v128.load(place), v128.load(place - distance)))) place += 16;
  return place - at;
}
