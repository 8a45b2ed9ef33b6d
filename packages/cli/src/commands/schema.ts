import { didYouMean, usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { contractVersion, operationCommands, seriesCommands } from '../generated/commands.js';

/** Prints what a command returns as JSON Schema, or the list of commands that have one. */
export function schema(context: Context, name: string | undefined): void {
  const commands = operationCommands.map((command) => ({
    command: command.words.join(' '),
    schema: command.dataSchema,
  }));
  if (name === undefined) {
    context.output.list(
      [...commands.map(({ command }) => ({ command })), { command: 'trips' }],
      [{ title: 'command', value: (row) => row.command }],
      '',
    );
    return;
  }
  const found =
    name === 'trips'
      ? { contractVersion, series: seriesCommands }
      : commands.find(({ command }) => command === name)?.schema;
  if (found === undefined) {
    const hint = didYouMean(name, [...commands.map(({ command }) => command), 'trips']);
    throw usageError('no command of that name returns data', hint);
  }
  context.output.raw(`${JSON.stringify(found, null, 2)}\n`);
}
