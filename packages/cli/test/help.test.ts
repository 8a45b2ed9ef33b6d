import { operations } from '@vehicle-data/openapi';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from '../src/program.ts';
import { startWorld, streamsOf } from './support/vds.ts';

const world = await startWorld();

const programWith = (env: NodeJS.ProcessEnv): Command => createProgram(streamsOf({ env }), '0.0.0');

/** Every command with the words that call it. */
function commandsOf(command: Command, words: readonly string[] = []): readonly (readonly [string[], Command])[] {
  const inner = command.commands.flatMap((one) => commandsOf(one, [...words, one.name()]));
  return [[[...words], command], ...inner];
}
const all = commandsOf(programWith({}));

it('every command explains itself and rejects an option that it does not have, and every operation that reads has one', async () => {
  expect(all.length).toBeGreaterThan(25);
  for (const line of all.map(([words]) => words.join(' '))) {
    const usage = expect.stringContaining(`Usage: vds ${line}`.trim());
    expect(await world.vds(`${line} --help`), line).toMatchObject({ code: 0, stdout: usage });
    // What follows `sandbox` is for the sandbox.
    if (line === 'sandbox') continue;
    const message = expect.stringMatching(/^(unknown|missing required|required) /);
    expect(await world.vds(`${line} --no-such-option`), line).toMatchObject({ code: 4, error: { message } });
  }
  const readers = Object.values(operations).filter(({ method, series }) => method === 'GET' && series === null);
  const descriptions = all.map(([, command]) => command.description());
  expect(descriptions).toEqual(expect.arrayContaining(readers.map(({ summary }) => summary)));
});

it('every option can be set in the environment, by a name of its own that help shows; the command line wins', () => {
  const withoutVariable = new Set<string>();
  const optionOf = new Map<string, string>();
  for (const [words, command] of all) {
    for (const option of command.options) {
      const { long = '', envVar } = option;
      if (envVar === undefined) {
        withoutVariable.add(`${long}${option.isBoolean() ? '' : ' <value>'}`);
        continue;
      }
      const place = `${words.join(' ')} ${long}`;
      expect(optionOf.get(envVar) ?? long, place).toBe(long);
      optionOf.set(envVar, long);
      const name = option.attributeName();
      /** The command with a value in the environment, after its own words were read. */
      const readWith = (value: string, given: string[]) => {
        const program = programWith({ [envVar]: value });
        const read = words.reduce((at, word) => at.commands.find((one) => one.name() === word) ?? at, program);
        read.parseOptions(given);
        return { source: read.getOptionValueSource(name), value: read.getOptionValue(name) };
      };
      expect(command.helpInformation().replaceAll(/\s+/g, ' '), place).toContain(`env: ${envVar})`);
      const isSwitch = option.isBoolean();
      const value = isSwitch ? '1' : (option.argChoices?.[0] ?? '7');
      const expected = isSwitch ? !long.startsWith('--no-') : value;
      expect(readWith(value, []), place).toEqual({ source: 'env', value: expected });
      expect(readWith(value, isSwitch ? [long] : [long, value]).source, place).toBe('cli');
      expect(readWith(isSwitch ? '0' : '', []).source, place).not.toBe('env');
    }
  }
  // What ends sharing or deletes is confirmed on the command line, and what agents may ask is named there. A secret is no argument: `--api-key` names its kind. `VDS_TO` is the last day of a range, not the folder of a backup. With `--dry-run` in a profile, no export would do anything.
  expect([...withoutVariable].sort()).toEqual([
    '--accept-contract',
    '--allow-withdrawal',
    '--api-key',
    '--archive <value>',
    '--columns <value>',
    '--confirm <value>',
    '--confirm-purge <value>',
    '--dry-run',
    '--forget-missing',
    '--readmit',
    '--store <value>',
    '--to <value>',
    '--version',
  ]);
  const named = all.flatMap(([, { options }]) => options).filter(({ flags }) => /token|secret/.test(flags));
  expect(named.map(({ long }) => long)).toEqual(['--token-command']);
});

it('a value of the environment that is none of the choices is named by its variable, with exit code 4', async () => {
  const wrong = await world.vds('export --from 7d', { env: { VDS_FORMAT: 'xls' } });
  expect(wrong).toMatchObject({ code: 4, stderr: expect.stringContaining('VDS_FORMAT') });
});
