import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { usageError } from './cli-error.js';
import type { Streams } from './streams.js';

/** Asks a person. Without a terminal there is nobody to ask. */
export async function ask(streams: Streams, question: string, hidden = false): Promise<string> {
  if (streams.stdin.isTTY !== true) throw usageError('there is no terminal to ask on');
  streams.stderr.write(question);
  // What is typed is not echoed when it is a secret.
  const echo = new Writable({
    write(chunk: Buffer, _, done) {
      if (!hidden) streams.stderr.write(chunk);
      done();
    },
  });
  const terminal = createInterface({ input: streams.stdin, output: echo, terminal: true });
  try {
    return (await terminal.question('', { signal: streams.signal })).trim();
  } finally {
    terminal.close();
    if (hidden) streams.stderr.write('\n');
  }
}

/** Reads a short text from standard input, to its end. */
export async function readInput(streams: Streams, longest = 64 * 1024): Promise<string> {
  let text = '';
  for await (const chunk of streams.stdin) {
    text += String(chunk);
    if (text.length > longest) throw usageError(`standard input holds more than ${longest} characters`);
  }
  return text.trim();
}

/** Demands that a person types a word, or that a script names it. */
export async function confirmTyped(
  streams: Streams,
  { word, given, effect }: { readonly word: string; readonly given: string | undefined; readonly effect: string },
): Promise<void> {
  if (given === undefined && streams.stdin.isTTY !== true)
    throw usageError('this command needs a confirmation', 'Without a terminal, use --confirm.');
  if ((given ?? (await ask(streams, `${effect}\nType ${word} to confirm: `))) !== word)
    throw usageError('the confirmation does not match; nothing was sent');
}
