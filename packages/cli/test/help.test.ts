import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from '../src/program.ts';
import { useWorld } from './support/vds.ts';

const world = useWorld();

function programWith(env: NodeJS.ProcessEnv): Command {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  return createProgram({ stdin, stdout, stderr, env, signal: new AbortController().signal }, '0.0.0');
}

/** Every command with the words that call it. */
function commandsOf(command: Command, words: readonly string[] = []): readonly (readonly [string[], Command])[] {
  const inner = command.commands.flatMap((one) => commandsOf(one, [...words, one.name()]));
  return [[[...words], command], ...inner];
}
const all = commandsOf(programWith({}));

/** What each run of `vds` printed on one pseudo-terminal, and its exit code. */
async function onTerminal(lists: readonly (readonly string[])[]): Promise<readonly (readonly [string, number])[]> {
  const runner = fileURLToPath(new URL('./support/in-terminal.ts', import.meta.url));
  const { stdout } = await world.session(`exec '${process.execPath}' '${runner}' '${JSON.stringify(lists)}'`);
  const parts = stdout.split(/<<exit (\d+)>>/);
  return lists.map((_, index) => [parts[index * 2] ?? '', Number(parts[index * 2 + 1])]);
}

it('every command explains itself on a terminal', async () => {
  expect(all.length).toBeGreaterThan(25);
  const runs = await onTerminal(all.map(([words]) => [...words, '--help']));
  expect(runs).toHaveLength(all.length);
  for (const [index, [words]] of all.entries()) {
    const [text = '', code] = runs[index] ?? [];
    expect(code, words.join(' ')).toBe(0);
    expect(text, words.join(' ')).toContain(['Usage: vds', ...words].join(' '));
  }
});

it('every command rejects an option that it does not have, with exit code 4', async () => {
  // What follows `sandbox` is for the sandbox.
  const own = all.map(([words]) => words).filter((words) => words.length > 0 && words[0] !== 'sandbox');
  const runs = await onTerminal(own.map((words) => [...words, '--no-such-option']));
  expect(runs).toHaveLength(own.length);
  for (const [index, words] of own.entries()) {
    const [text = '', code] = runs[index] ?? [];
    expect(code, words.join(' ')).toBe(4);
    expect(text, words.join(' ')).toMatch(/^error: (unknown|missing required|required) /m);
  }
});

it('every option can be set in the environment, by the name that help shows; the command line wins', () => {
  const withoutVariable = new Set<string>();
  const find = (program: Command, words: readonly string[]) =>
    words.reduce((at, word) => at.commands.find((one) => one.name() === word) ?? at, program);
  for (const [words, command] of all) {
    for (const { long = '', envVar, argChoices, attributeName, isBoolean } of command.options.map((option) => ({
      long: option.long ?? '',
      envVar: option.envVar,
      argChoices: option.argChoices,
      attributeName: option.attributeName(),
      isBoolean: option.isBoolean(),
    }))) {
      if (envVar === undefined) {
        withoutVariable.add(long);
        continue;
      }
      const place = `${words.join(' ')} ${long}`;
      expect(command.helpInformation().replaceAll(/\s+/g, ' '), place).toContain(`env: ${envVar})`);
      const value = isBoolean ? '1' : (argChoices?.[0] ?? '7');
      const given = find(programWith({ [envVar]: value }), words);
      given.parseOptions([]);
      expect(given.getOptionValueSource(attributeName), place).toBe('env');
      expect(given.getOptionValue(attributeName), place).toBe(isBoolean ? !long.startsWith('--no-') : value);
      const typed = find(programWith({ [envVar]: value }), words);
      typed.parseOptions(isBoolean ? [long] : [long, value]);
      expect(typed.getOptionValueSource(attributeName), place).toBe('cli');
      const off = find(programWith({ [envVar]: isBoolean ? '0' : '' }), words);
      off.parseOptions([]);
      expect(off.getOptionValueSource(attributeName), place).not.toBe('env');
    }
  }
  // What ends sharing or deletes is confirmed on the command line; VDS_API_KEY is the secret itself.
  expect([...withoutVariable].sort()).toEqual([
    '--allow-withdrawal',
    '--api-key',
    '--confirm',
    '--confirm-purge',
    '--version',
  ]);
});

it('a value of the environment that is none of the choices is named by its variable, with exit code 4', async () => {
  const { code, stderr } = await world.vds('export --from 7d', { env: { VDS_FORMAT: 'xls' } });
  expect(code).toBe(4);
  expect(stderr).toContain('VDS_FORMAT');
});
