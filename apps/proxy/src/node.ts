#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { runCommandLine } from './node/command-line.js';

// Keeps the memory for young objects as small as it is when the program starts: what a request leaves behind is dead at once, so more
// memory is only filled later, about ten megabytes that no request is faster for. A flag of the operator wins.
const flags = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
if (!flags.some((text) => text.includes('semi-space-'))) setFlagsFromString('--semi-space-growth-factor=1');
await runCommandLine(process.argv.slice(2));
