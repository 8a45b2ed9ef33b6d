#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { runCommandLine } from './node/command-line.js';

// What a request leaves behind is dead at once, so a look for what lives on finds little. Done by this thread alone, it costs less than the
// waking of others, for each of the many looks of a second. And memory for young objects stays as small as it is when the program starts:
// more would only be filled later, about ten megabytes that no request is faster for. A flag of the operator wins.
const given = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ').replaceAll('_', '-');
if (!given.includes('parallel-scavenge')) setFlagsFromString('--no-parallel-scavenge');
if (!given.includes('semi-space-')) setFlagsFromString('--semi-space-growth-factor=1');
await runCommandLine(process.argv.slice(2));
