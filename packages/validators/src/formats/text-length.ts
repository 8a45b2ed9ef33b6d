// JSON Schema counts the characters of a string as code points: https://json-schema.org/draft/2020-12/json-schema-validation#section-6.3

/** Whether a text has at most this many code points. Reads no more of it than it must. */
export function isAtMost(text: string, count: number): boolean {
  return text.length <= count || (text.length <= 2 * count && codePoints(text) <= count);
}

/** Whether a text has at least this many code points. Reads no more of it than it must. */
export function isAtLeast(text: string, count: number): boolean {
  return text.length >= count && (text.length >= 2 * count || codePoints(text) >= count);
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
