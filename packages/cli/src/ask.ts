import { createInterface } from 'node:readline';
import { addAbortSignal, Writable } from 'node:stream';
import { CliError, exitCodes, usageError } from './cli-error.js';
import type { Streams } from './streams.js';

const interrupted = () => new CliError('interrupted', 'interrupted', { exitCode: exitCodes.interrupted });

/** Asks a person. Without a terminal there is nobody to ask. A secret is not echoed. */
export async function ask({ stdin, stderr, signal }: Streams, question: string, hidden = false): Promise<string> {
  if (stdin.isTTY !== true) throw usageError('there is no terminal to ask on');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({
    input: stdin,
    output: hidden ? nowhere : stderr,
    terminal: hidden || stderr.isTTY === true,
    signal,
  });
  if (hidden) stderr.write(question);
  const answer = await new Promise<string | undefined>((resolve) => {
    // By Ctrl-C, by Ctrl-D or by the signal of the run.
    terminal.once('close', () => resolve(undefined));
    terminal.question(question, resolve);
  });
  terminal.close();
  // Only Enter after a visible answer has ended the line.
  if (hidden || answer === undefined) stderr.write('\n');
  if (answer === undefined) throw interrupted();
  return answer.trim();
}

const longestInput = 64 * 1024;

/** Reads a short text from standard input, to its end. */
export async function readInput({ stdin, signal }: Streams): Promise<string> {
  let text = '';
  try {
    for await (const chunk of addAbortSignal(signal, stdin)) {
      text += String(chunk);
      if (text.length > longestInput) throw usageError(`standard input holds more than ${longestInput} characters`);
    }
  } catch (error) {
    throw signal.aborted ? interrupted() : error;
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
    throw usageError('the confirmation does not match; nothing was sent or deleted');
}
