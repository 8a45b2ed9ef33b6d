// Reads the arguments of a command. No message repeats a value: what was typed can be a secret, or follow a flag whose value is missing.

/** What a flag takes: a value that follows it or stands behind `=`; none; or, for `boolean`, one that may be missing, which is `true`. */
export type FlagKind = 'value' | 'secret' | 'switch' | 'boolean';

/** What was given. */
export interface ReadArguments {
  /** Values by the names of their flags, without dashes; `true` for a switch. */
  readonly values: Readonly<Record<string, string>>;
  /** What is no flag and no value, in order. */
  readonly words: readonly string[];
  /** What is wrong, each naming its flag or its position. */
  readonly mistakes: string[];
}

/** @param takesWords whether there may be words beside flags, of which one may look like a flag; otherwise each is a mistake */
export function readArguments(
  list: readonly string[],
  flags: ReadonlyMap<string, FlagKind>,
  takesWords: boolean,
): ReadArguments {
  const values: Record<string, string> = {};
  const words: string[] = [];
  const mistakes: string[] = [];
  let secretMissing = false;
  for (let index = 0; index < list.length; index++) {
    const argument = list[index] ?? '';
    const [, name = '', joined] = /^--([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(argument) ?? [];
    const kind = flags.get(name);
    if (kind === undefined) {
      if (takesWords && !argument.startsWith('-')) words.push(argument);
      // What is not a flag may be a value, so it is not repeated; nor is what follows a secret whose value is missing.
      else if (name === '' || secretMissing) mistakes.push(`argument ${index + 1}: not a flag`);
      else mistakes.push(`${takesWords ? `argument ${index + 1}` : `--${name}`}: no such flag`);
      continue;
    }
    let value = joined;
    if (kind === 'switch') {
      if (joined !== undefined) mistakes.push(`--${name}: takes no value`);
      value = 'true';
    }
    if (value === undefined && list[index + 1]?.startsWith('--') === false) value = list[++index];
    if (value === undefined && kind === 'boolean') value = 'true';
    secretMissing = value === undefined && kind === 'secret';
    if (value === undefined) mistakes.push(`--${name}: a value is missing`);
    else if (name in values) mistakes.push(`--${name}: given twice`);
    else values[name] = value;
  }
  return { values, words, mistakes };
}
