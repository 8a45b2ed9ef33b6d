// Commands of `vds` without a process for each: starting one takes longer than most commands.
import { writeFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '@vehicle-data/cli';
import { run as runProgram } from './apps.ts';

/** Runs one command in this process. */
export async function vds(words: readonly string[], env: NodeJS.ProcessEnv) {
  const [stdin, stdout, stderr] = [new PassThrough().end(), new PassThrough(), new PassThrough()];
  const printed = [text(stdout), text(stderr)] as const;
  const code = await run(words, { stdin, stdout, stderr, env, signal: new AbortController().signal });
  stdout.end();
  stderr.end();
  return { code, stdout: await printed[0], stderr: await printed[1] };
}

/** Writes a program that runs lines as a shell does, of which each is a command of `vds`, in one process. With `isTyped`, it shows them, too. */
export async function writeVdsProgram(
  file: string,
  lines: readonly string[],
  environment: Readonly<Record<string, string>>,
  isTyped = false,
): Promise<void> {
  // Bash knows what the words of a line are.
  const { stdout } = await runProgram('bash', ['-c', lines.map((line) => `printf '%s\\0' ${line}; echo`).join('\n')]);
  const split = stdout.split('\n').map((words) => words.split('\0').slice(1, -1));
  const commands = lines.map((line, index) => ({ line, words: split[index] }));
  await writeFile(
    file,
    `import { PassThrough } from 'node:stream';
import { run } from '${import.meta.resolve('@vehicle-data/cli')}';
const { stdout, stderr } = process;
const env = { ...process.env, ...${JSON.stringify(environment)} };
for (const { line, words } of ${JSON.stringify(commands)}) {
  if (${isTyped}) stdout.write('$ ' + line + '\\n');
  const stdin = new PassThrough().end();
  const code = await run(words, { stdin, stdout, stderr, env, signal: new AbortController().signal });
  if (code !== 0) throw new Error(line + ' ended with ' + code);
}
`,
  );
}
