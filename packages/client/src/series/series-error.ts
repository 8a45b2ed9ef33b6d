/** What a function of this module cannot work with. */
export type SeriesErrorCode = 'unknown-series' | 'unknown-signal' | 'invalid-option';

/** A wrong series, signal or option. The message names what is allowed and never repeats the value. */
export class SeriesError extends RangeError {
  override readonly name = 'SeriesError';
  declare readonly code: SeriesErrorCode;

  constructor(code: SeriesErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** @throws SeriesError unless what was passed is right. */
export function check(isRight: boolean, rule: string, code: SeriesErrorCode = 'invalid-option'): void {
  if (!isRight) throw new SeriesError(code, rule);
}
