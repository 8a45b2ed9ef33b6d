import { readFile } from 'node:fs/promises';
import { CommanderError } from 'commander';
import { type CliError, exitCodes, usageError } from './cli-error.js';
import { createContext, type GlobalOptions } from './context.js';
import { Output } from './output/output.js';
import { createProgram } from './program.js';
import type { Streams } from './streams.js';

export type { Streams } from './streams.js';

/**
 * Runs one command of `vds`.
 *
 * @param parameters The words after `vds`.
 * @returns the exit code
 */
export async function run(parameters: readonly string[], streams: Streams): Promise<number> {
  const manifest: { readonly version: string } = JSON.parse(
    await readFile(new URL('../package.json', import.meta.url), 'utf8'),
  );
  const program = createProgram(streams, manifest.version);
  try {
    if (/^complet(e|ion)$/.test(parameters[0] ?? ''))
      await (await import('./commands/completion.js')).addCompletion(program, streams);
    await program.parseAsync([...parameters], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    // A group of commands without a command has printed its help.
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage;
    const shown = error instanceof CommanderError ? wrongUsage(error) : error;
    const options = program.opts<GlobalOptions>();
    const exitCode = await new Output(streams, options).error(shown, await baseUrlOf(streams, options));
    return streams.signal.aborted ? exitCodes.interrupted : exitCode;
  }
}

/** The address of the run, where options and configuration are good. */
const baseUrlOf = (streams: Streams, options: GlobalOptions) =>
  createContext(streams, options, false).then(
    ({ baseUrl }) => baseUrl,
    () => undefined,
  );

/** What commander found wrong, and on a last line in brackets what was meant. A word that is no name may be a VIN or a secret. */
function wrongUsage({ message }: CommanderError): CliError {
  const [, wrong = '', hint] = /^(?:error: )?(.*?)(?:\n\(([^()]*)\))?$/s.exec(message) ?? [];
  const named = wrong
    .replace(/^(unknown \w+) '(?:(-{0,2}[a-z][a-z-]*)(?:=.*)?|.*)'$/s, (_, what, name) =>
      name ? `${what} '${name}'` : what,
    )
    .replace(/ (argument|value) '.*' is invalid/s, ' is invalid');
  return usageError(named, hint);
}
