#!/usr/bin/env node
import { run } from './run.js';

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second signal ends at once.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort(new Error('interrupted'));
  });
}
// A reader that leaves early, such as `head`, is no failure. Remarks that nobody reads stop no command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.stderr.on('error', () => {});

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env, signal: interrupt.signal });
// The input of a terminal would keep the process alive.
stdin.unref?.();
