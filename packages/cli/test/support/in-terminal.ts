// Runs `vds` with each of the given lists of parameters in this one process, which a test starts in a pseudo-terminal.
import { run } from '../../dist/run.js';

const lists: readonly (readonly string[])[] = JSON.parse(process.argv[2] ?? '[]');
const { stdin, stdout, stderr, env } = process;
if (!stdout.isTTY) throw new Error('this is no terminal');
for (const parameters of lists) {
  const code = await run(parameters, { stdin, stdout, stderr, env, signal: new AbortController().signal });
  stdout.write(`<<exit ${code}>>`);
}
process.exit();
