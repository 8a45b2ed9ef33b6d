export const exitCodes = {
  /** Everything that was asked for was done. */
  done: 0,
  /** The service, the network or the disk failed. */
  failed: 1,
  /** Some vehicles were done and others not: withdrawn, not shared, or their purge waits for a confirmation. */
  partial: 2,
  /** `vds verify` found a difference, or `vds quality --check` an alarm. */
  different: 3,
  /** The command line, the configuration or an argument is wrong, or does not fit the archive. */
  usage: 4,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** An error that one line explains; its stack would add nothing. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: string;
  readonly exitCode: number;
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(
    code: string,
    message: string,
    options: { readonly hint?: string | undefined; readonly exitCode?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? exitCodes.failed;
  }
}

/** The command line or the configuration is wrong. */
export function usageError(message: string, hint?: string | undefined): CliError {
  return new CliError('usage', message, { exitCode: exitCodes.usage, hint });
}

/** The question whether another name of a list was meant: the nearest ones to a word, at most three. */
export function didYouMean(word: string, names: Iterable<string>): string | undefined {
  const distanceOf = (name: string) => distance(word.toLowerCase(), name.toLowerCase());
  const near = [...names]
    .filter((name) => distanceOf(name) <= Math.max(2, name.length / 2))
    .toSorted((one, other) => distanceOf(one) - distanceOf(other))
    .slice(0, 3);
  return near.length > 0 ? `Did you mean ${near.join(' or ')}?` : undefined;
}

/** Levenshtein distance. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const swap = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, swap));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
