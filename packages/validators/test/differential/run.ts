// Runs the comparisons with many inputs, prints each as it ends, and writes bench/results/differential.json.
// DIFFERENTIAL_INPUTS (default ten million) and DIFFERENTIAL_SEED (default the time) choose them; VITEST_MAX_WORKERS=1 leaves a core free.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { type Reporter, startVitest, type TestCase } from 'vitest/node';
import type { Compared } from './comparison.ts';

const folder = fileURLToPath(new URL('../..', import.meta.url));
const env = process.env;
env['DIFFERENTIAL_INPUTS'] ??= '10000000';
env['DIFFERENTIAL_SEED'] ??= String(Math.floor(Date.now() / 1000));

interface Finished extends Compared {
  readonly name: string;
  readonly passed: boolean;
}

const finished: Finished[] = [];
let passed = false;
const start = performance.now();

const progress: Reporter = {
  onTestCaseResult(test: TestCase) {
    const { compared } = test.meta();
    const passed = test.ok();
    if (compared) {
      const seconds = Number(compared.seconds.toFixed(2));
      finished.push({ name: test.fullName, passed, ...compared, seconds });
      const counts = `${compared.inputs} inputs, ${compared.agreements} agreements, ${compared.valid} valid, ${seconds} s`;
      console.log(`${((performance.now() - start) / 1000).toFixed(0).padStart(5)} s  ${test.fullName}: ${counts}`);
    }
    if (passed) return;
    const { errors = [] } = test.result();
    for (const { message } of errors) console.error(`${test.fullName}: ${message}`);
  },
  onTestRunEnd(modules, unhandled, reason) {
    passed = reason === 'passed' && unhandled.length === 0;
    for (const { message } of [...modules.flatMap((module) => module.errors()), ...unhandled]) console.error(message);
  },
};

const vitest = await startVitest('test', ['test/differential'], {
  root: folder,
  watch: false,
  testTimeout: 0,
  reporters: [progress],
});
await vitest.close();

const sum = (of: (comparison: Finished) => number) => finished.reduce((all, comparison) => all + of(comparison), 0);
const summary = {
  command: `DIFFERENTIAL_INPUTS=${env['DIFFERENTIAL_INPUTS']} DIFFERENTIAL_SEED=${env['DIFFERENTIAL_SEED']} pnpm run test:differential`,
  date: new Date().toISOString().slice(0, 10),
  machine: { processor: cpus()[0]?.model.trim(), cores: cpus().length, load: loadavg()[0], node: process.version },
  passed,
  seconds: Math.round((performance.now() - start) / 1000),
  inputs: sum(({ inputs }) => inputs),
  agreements: sum(({ agreements }) => agreements),
  valid: sum(({ valid }) => valid),
  comparisons: finished.toSorted((a, b) => a.name.localeCompare(b.name)),
};
const file = `${folder}bench/results/differential.json`;
mkdirSync(`${folder}bench/results`, { recursive: true });
writeFileSync(file, `${JSON.stringify(summary, null, 2)}\n`);
const { inputs, agreements, valid, seconds } = summary;
console.log(`${inputs} inputs, ${agreements} agreements, ${valid} valid, ${seconds} s, written to ${file}`);
if (!passed) process.exitCode = 1;
