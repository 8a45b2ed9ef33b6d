import type { Context } from '../context.js';
import type { CommandResponse, OperationCommand } from '../operation-command.js';
import { printable } from '../output/printable.js';

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const rowsOf = (data: object, items: string): readonly Fields[] => {
  const list: unknown = isObject(data) ? data[items] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
};

/** Every leaf of a record with its dotted path. */
export function leaves(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (!isObject(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, member]) => leaves(member, path === '' ? name : `${path}.${name}`));
}

/** An age for people: `4 min`, `2 d`. */
export function ageText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

/** Runs a command that the contract describes, and prints its record or list. */
export async function runOperation(
  context: Context,
  command: OperationCommand,
  given: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { output } = context;
  const client = await context.client();
  const response: CommandResponse = await command.call(client, given, { signal: context.signal });
  const { data } = response;
  if (command.items !== null) {
    const rows = rowsOf(data, command.items).map((row) => {
      const alias = typeof row['vin'] === 'string' ? context.aliasOf(row['vin']) : undefined;
      return alias === undefined ? row : { ...row, alias };
    });
    const names = rows.some((row) => 'alias' in row) ? ['alias', ...command.columns] : command.columns;
    output.list(
      rows,
      names.map((title) => ({ title, value: (row: Fields) => row[title] })),
      'Nothing to list: no vehicle shares data.',
    );
    return;
  }
  const age = response.dataAgeMs;
  const units = command.units;
  const shown = age === undefined ? data : { ...data, dataAgeMs: age };
  output.record(shown, () => {
    const fields = leaves(data);
    const width = Math.max(...fields.map(([path]) => path.length), 8);
    const lines = fields.map(([path, value]) => {
      const unit = units[path] === undefined ? '' : ` ${units[path]}`;
      return `${path.padEnd(width)}  ${printable(value)}${unit}`;
    });
    if (typeof age === 'number') lines.push(`${'age'.padEnd(width)}  ${ageText(age)}`);
    return lines;
  });
}
