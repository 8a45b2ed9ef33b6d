/** A mistake in the options, or several, one a line. The message names the option and never repeats its value. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
