#!/usr/bin/env node
import { keepYoungGenerationSmall } from './node/young-generation.js';

keepYoungGenerationSmall();
// Read only now, so that it is not read twice.
const { runCommandLine } = await import('./node/command-line.js');
await runCommandLine(process.argv.slice(2));
