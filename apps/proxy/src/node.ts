#!/usr/bin/env node
import { runCommandLine } from './node/command-line.js';
import { keepYoungGenerationSmall } from './node/young-generation.js';

keepYoungGenerationSmall();
await runCommandLine(process.argv.slice(2));
