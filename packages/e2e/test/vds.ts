// Commands of `vds` without a process for each: starting one takes longer than most commands.
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '@vehicle-data/cli';

/** Runs one command in this process. */
export async function vds(words: readonly string[], env: NodeJS.ProcessEnv) {
  const [stdin, stdout, stderr] = [new PassThrough().end(), new PassThrough(), new PassThrough()];
  const printed = [text(stdout), text(stderr)] as const;
  const code = await run(words, { stdin, stdout, stderr, env, signal: new AbortController().signal });
  stdout.end();
  stderr.end();
  return { code, stdout: await printed[0], stderr: await printed[1] };
}
