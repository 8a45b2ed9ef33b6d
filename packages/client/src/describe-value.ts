/** What kind of value something is, in words that do not repeat it. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null || typeof value === 'boolean') return String(value);
  if (value === '') return 'an empty text';
  if (typeof value === 'string') {
    const marks = [
      /[-\u2010-\u2015]/.test(value) && 'hyphens',
      /\s/.test(value) && 'white space',
      /[^ -~\s]/.test(value) && 'characters beyond ASCII',
    ].filter(Boolean);
    return `${value.length} characters${marks.length ? ` with ${marks.join(' and ')}` : ''}`;
  }
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a Date';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
