/** The check of one answer that flows by. */
export interface ResponseCheck {
  /** Reads a piece of the body. Returns whether all is well so far. */
  write(chunk: Uint8Array): boolean;
  /** The body is complete. Returns whether all was well. */
  end(): boolean;
  /** The body will not be completed. Without effect after `end`. */
  stop(): void;
}
