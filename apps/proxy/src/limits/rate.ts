/** A number of calls in a span of time. */
export interface Rate {
  readonly calls: number;
  /** The span, in seconds. */
  readonly seconds: number;
}

const rateForm = /^([1-9]\d{0,8})\/([1-9]\d{0,5})s$/;

/** Reads a rate such as `600/60s` (600 calls in 60 seconds); `null` when it is not of this form. */
export function parseRate(text: string): Rate | null {
  const parts = rateForm.exec(text);
  return parts === null ? null : { calls: Number(parts[1]), seconds: Number(parts[2]) };
}
