/** What counting one call gave. */
export interface Count {
  readonly allowed: boolean;
  readonly left: number;
  /** Time until the span ends, in whole seconds. */
  readonly resetSeconds: number;
}

/** Counts the calls of one rate. */
export interface Counter {
  /** Counts one call under a key; at once where it can. */
  take(key: string): Count | Promise<Count>;
}
