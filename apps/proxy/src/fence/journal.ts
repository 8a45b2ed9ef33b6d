/** Where replicas keep the texts of what is blocked, so that each knows what the others do. Everything can fail. */
export interface Journal {
  /** Adds texts, those that are there already left out. Resolves when they are kept. */
  append(texts: readonly string[]): Promise<void>;
  /** What was added since the last reading, by anybody. */
  read(): Promise<JournalReading>;
  /** Removes texts that nobody needs any more. */
  remove(texts: readonly string[]): Promise<void>;
}

export interface JournalReading {
  readonly texts: readonly string[];
  /** Whether these are all texts that there are: at first, and when some were removed or lost. */
  readonly isWhole: boolean;
}
