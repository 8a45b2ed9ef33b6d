/** A stretch of columns that show the same values. */
export interface BandPiece {
  /** First column, and the one after the last. */
  readonly start: number;
  readonly end: number;
  /** Every value that occurs there, in the order of the contract; `null` for samples that are no values. */
  readonly values: readonly (string | null)[];
}

/** What a band is drawn from. */
export interface BandCodes {
  /** A bit for each value, by sample; the lowest bit stands for none. */
  readonly codes: Uint32Array;
  /** The values that the band has, in the order of the contract. */
  readonly found: readonly string[];
}

/** Reads the samples of a band once, for all of its pictures. */
export function bandCodes(values: readonly (string | null)[], allowed: readonly string[]): BandCodes {
  const known = new Map<string | null, number>(allowed.map((value, index) => [value, 2 << index]));
  const codes = new Uint32Array(values.length);
  let last: string | null | undefined;
  let code = 1;
  let all = 0;
  // A counted loop reads a day of samples several times as fast as a callback.
  for (let index = 0; index < codes.length; index += 1) {
    const value = values[index] ?? null;
    if (value !== last) {
      code = known.get(value) ?? 1;
      all |= code;
      last = value;
    }
    codes[index] = code;
  }
  return { codes, found: allowed.filter((_, index) => all & (2 << index)) };
}

/**
 * What each column of a band shows. Where several values fall on one column, all of them are named, so that a single sample is
 * never lost among its neighbors. A value holds for its own sample alone, up to where the next one begins.
 *
 * @param codes Those of {@link bandCodes}.
 */
export function bandPieces(
  codes: Uint32Array,
  allowed: readonly string[],
  from: number,
  to: number,
  count: number,
): BandPiece[] {
  const perColumn = (to - from) / count;
  const pieces: BandPiece[] = [];
  let start = 0;
  let shown = -1;
  const close = (end: number) => {
    if (shown <= 0) return;
    const named = allowed.filter((_, index) => shown & (2 << index));
    pieces.push({ start, end, values: shown & 1 ? [...named, null] : named });
  };
  for (let column = 0; column < count; column += 1) {
    const first = Math.max(0, Math.floor(from + column * perColumn));
    const end = Math.min(codes.length, Math.max(first + 1, Math.ceil(from + (column + 1) * perColumn)));
    let found = 0;
    for (let index = first; index < end; index += 1) found |= codes[index] ?? 1;
    if (found !== shown) {
      close(column);
      start = column;
      shown = found;
    }
  }
  close(count);
  return pieces;
}
