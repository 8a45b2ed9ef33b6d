/** What a function of this module cannot work with. */
export type SeriesErrorCode = 'unknown-series' | 'unknown-signal' | 'invalid-option';

/** A wrong series, signal or option. The message names what is allowed and never repeats the value. */
export class SeriesError extends RangeError {
  override readonly name = 'SeriesError';
  readonly code: SeriesErrorCode;

  constructor(code: SeriesErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** @throws SeriesError `invalid-option` unless the option is right. */
export function checkOption(isRight: boolean, rule: string): void {
  if (!isRight) throw new SeriesError('invalid-option', rule);
}
