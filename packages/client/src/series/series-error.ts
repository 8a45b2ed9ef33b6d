/** What a function of this module cannot work with. */
export type SeriesErrorCode = 'unknown-series' | 'unknown-signal' | 'invalid-option' | 'too-many-rows';

/** A wrong series, signal or option. The message names what is allowed and never repeats the value. */
export class SeriesError extends RangeError {
  override readonly name = 'SeriesError';
  readonly code: SeriesErrorCode;

  constructor(code: SeriesErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** @throws SeriesError unless the number is above zero and finite. */
export function checkPositive(name: string, value: number): void {
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) {
    throw new SeriesError('invalid-option', `${name} must be a finite number above 0`);
  }
}
