/** A number of calls in a span of time. */
export interface Rate {
  readonly calls: number;
  /** The span, in seconds. */
  readonly seconds: number;
}
