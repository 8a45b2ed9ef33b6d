import { didYouMean, usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { contractVersion, operationCommands, seriesCommands } from '../generated/commands.js';

/** Prints what a command returns as JSON Schema, or the list of commands that have one. */
export function schema(context: Context, _: object, ...words: readonly string[]): void {
  const schemas = new Map<string, object>(
    operationCommands.map((command) => [command.words.join(' '), command.dataSchema]),
  ).set('trips', { contractVersion, series: seriesCommands });
  const names = [...schemas.keys()];
  const name = words.join(' ');
  const found = schemas.get(name);
  if (found !== undefined) context.output.raw(`${JSON.stringify(found, null, 2)}\n`);
  else if (name !== '')
    throw usageError('there is no schema of that name', didYouMean(name, names) ?? 'List them: vds schema');
  else {
    const rows = names.map((command) => ({ command }));
    context.output.list(rows, ['command'], '');
  }
}
