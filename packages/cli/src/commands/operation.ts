import { isObject } from '../config/config-file.js';
import type { Context } from '../context.js';
import type { OperationCommand } from '../operation-command.js';
import { printable } from '../output/printable.js';

type Fields = Readonly<Record<string, unknown>>;
const rowsOf = (data: object, items: string): readonly Fields[] => {
  const list: unknown = isObject(data) ? data[items] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
};

/** Every leaf of a record with its dotted path. */
function leaves(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (!isObject(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, member]) => leaves(member, path === '' ? name : `${path}.${name}`));
}

/** An age for people: `4 min`, `2 d`. */
function ageText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

/** The command that the contract describes: it prints the record or list of an operation. */
export function runnerOf(command: OperationCommand) {
  const { call, items, columns, parameters, units } = command;
  const needsVehicle = parameters.some(({ name }) => name === 'vin');
  return async (context: Context, options: Readonly<Record<string, string>>, vehicle: string): Promise<void> => {
    const { output, signal } = context;
    const given = needsVehicle ? { ...options, vin: context.vin(vehicle) } : options;
    const { data, dataAgeMs: age } = await call(await context.client(), given, { signal });
    if (items !== null) {
      const rows = rowsOf(data, items).map((row) => {
        const alias = typeof row['vin'] === 'string' ? context.aliasOf(row['vin']) : undefined;
        return alias === undefined ? row : { ...row, alias };
      });
      const names = rows.some((row) => 'alias' in row) ? ['alias', ...columns] : columns;
      output.list(rows, names, 'Nothing to list: no vehicle shares data.');
      return;
    }
    output.record(age === undefined ? data : { ...data, dataAgeMs: age }, () => {
      const fields = leaves(data).map(([path, value]) => [printable(path), `${printable(value)} ${units[path] ?? ''}`]);
      const width = Math.max(...fields.map(([name = '']) => name.length), 8);
      const lines = fields.map(([name = '', text = '']) => `${name.padEnd(width)}  ${text}`.trimEnd());
      return typeof age === 'number' ? [...lines, `${'age'.padEnd(width)}  ${ageText(age)}`] : lines;
    });
  };
}
