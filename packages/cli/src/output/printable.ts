// Control, format (zero-width, bidirectional), private-use and lone surrogate characters, line and paragraph separators: what
// could move a cursor, hide text or reorder a line.
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text of the service as it may be shown on a terminal or in a table: no control characters, not too long. */
export function printable(value: unknown, longest = 120): string {
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  const shown = text.replace(unprintable, '\ufffd');
  const characters = [...shown];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : shown;
}

/** A value as JSON on one line. What is unprintable is escaped, which is the same value to a program that reads it. */
export function jsonLine(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(unprintable, (character) => character.split('').map(escaped).join(''));
}
