#!/usr/bin/env node
// `vds-collector`: the process, its signals and its exit code.
import process from 'node:process';
import { runCommand } from './command/run-command.js';

process.exitCode = await runCommand(process.argv.slice(2), process.env, {
  stdout: process.stdout,
  stderr: process.stderr,
  signals() {
    const [stop, abort] = [new AbortController(), new AbortController()];
    const onSignal = () => (stop.signal.aborted ? abort : stop).abort();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
    return { stop: stop.signal, abort: abort.signal };
  },
});
