import { settings } from './all-settings.js';
import { flagOf, isSecret, type Setting } from './setting.js';

/** The flags as written, by the name of the variable (`…_FILE` for the file of a secret), noting what is wrong with them. */
export function readFlags(list: readonly string[], mistakes: string[]): ReadonlyMap<string, string> {
  const byFlag = new Map<string, { readonly variable: string; readonly setting: Setting }>();
  for (const setting of settings) {
    const { variable, alsoFlags = [] } = setting;
    for (const flag of [flagOf(variable), ...alsoFlags]) byFlag.set(flag, { variable, setting });
    if (isSecret(setting)) byFlag.set(`${flagOf(variable)}-file`, { variable: `${variable}_FILE`, setting });
  }
  const found = new Map<string, string>();
  let secretMissing = false;
  for (let index = 0; index < list.length; index++) {
    const [, name = '', joined] = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(list[index] ?? '') ?? [];
    const flag = byFlag.get(name);
    const next = list[index + 1];
    if (flag === undefined) {
      // What is not a flag may be a value, so it is not repeated; nor is what stands where a secret is missing.
      mistakes.push(name === '' || secretMissing ? `argument ${index + 1}: not a flag` : `--${name}: no such flag`);
      continue;
    }
    let value = joined;
    if (value === undefined && next !== undefined && !next.startsWith('--')) {
      value = next;
      index++;
    }
    if (value === undefined && flag.setting.kind === 'boolean') value = 'true';
    secretMissing = value === undefined && isSecret(flag.setting);
    if (value === undefined) mistakes.push(`--${name}: a value is missing`);
    else if (found.has(flag.variable)) mistakes.push(`--${name}: given twice`);
    else found.set(flag.variable, value);
  }
  return found;
}
