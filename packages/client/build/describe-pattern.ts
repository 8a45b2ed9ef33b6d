const classes: Readonly<Record<string, string>> = {
  '0-9': 'digits',
  '0-9A-Za-z': 'letters or digits',
  'A-Za-z0-9': 'letters or digits',
  'A-Z0-9': 'capital letters or digits',
};

/** A pattern in words where it is one class of characters and a length, else the pattern itself. */
export function describePattern(pattern: string): string {
  const [, characters = '', length] = /^\^\[([^\]]+)\]\{(\d+)\}\$$/.exec(pattern) ?? [];
  const words = classes[characters];
  return words === undefined ? `a text that matches ${pattern}` : `${length} ${words}`;
}
