import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from '../src/program.ts';
import { useWorld } from './support/vds.ts';

const world = useWorld();
const streams = {
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: {},
  signal: new AbortController().signal,
};

/** Every command with the words that call it. */
function commandsOf(command: Command, words: readonly string[] = []): readonly (readonly string[])[] {
  return [words, ...command.commands.flatMap((inner) => commandsOf(inner, [...words, inner.name()]))];
}
const all = commandsOf(createProgram(streams, '0.0.0'));

it('every command explains itself on a terminal', { timeout: 120_000 }, async () => {
  expect(all.length).toBeGreaterThan(25);
  for (const words of all) {
    const { code, stdout } = await world.terminal(`${words.join(' ')} --help`);
    expect(code, words.join(' ')).toBe(0);
    expect(stdout, words.join(' ')).toContain(`Usage: vds${words.map((word) => ` ${word}`).join('')}`.split('|')[0]);
  }
});

it.each(['location', 'trips list', 'export'])(
  '%s rejects an option that it does not have, with exit code 4',
  async (words) => {
    const { code, stdout } = await world.terminal(`${words} --no-such-option`);
    expect(code).toBe(4);
    expect(stdout).toMatch(/unknown option|missing required argument|required option/);
  },
);
