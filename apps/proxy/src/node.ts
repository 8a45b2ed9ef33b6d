#!/usr/bin/env node
import { runCommandLine } from './node/command-line.js';

await runCommandLine(process.argv.slice(2));
