// node bench/cold-start.ts [--rounds 15] [--save]
// Import and first check of a small answer in a fresh process, against the start of an empty one.
import { execFileSync } from 'node:child_process';
import { median, Report } from './measure.ts';
import { payloads } from './payloads.ts';

const flag = process.argv.indexOf('--rounds');
const rounds = flag < 0 ? 15 : Number(process.argv[flag + 1]);
const text = JSON.stringify(payloads['driving 30 s'].text);
const script = `
  const body = JSON.parse(${text});
  const start = performance.now();
  const { getDrivingDataResponse } = await import(${JSON.stringify(import.meta.resolve('@vehicle-data/validators'))});
  const imported = performance.now();
  if (!getDrivingDataResponse.is(body)) throw new Error('refused');
  console.log(JSON.stringify([imported - start, performance.now() - imported]));`;

const runs = Array.from({ length: rounds }, () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script]).toString();
  return JSON.parse(output) as [number, number];
});
const report = new Report('cold-start');
report.figure('import, ms', median(runs.map(([time]) => time)));
report.figure('first check of a small answer, ms', median(runs.map(([, time]) => time)));
report.figure('both, ms', median(runs.map(([imported, checked]) => imported + checked)));
report.figure('both, least, ms', Math.min(...runs.map(([imported, checked]) => imported + checked)));
report.end();
