// node bench/cold-start.ts [--rounds 61] [--save]
// Import and first check of a small response in a fresh process: of the whole package, and of one validator as a bundler keeps it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median, Report } from './measure.ts';
import { payloads } from './payloads.ts';

const flag = process.argv.indexOf('--rounds');
const rounds = flag < 0 ? 61 : Number(process.argv[flag + 1]);
const text = JSON.stringify(payloads['driving 30 s'].text);

/** Times of the import and of the first check, in milliseconds. */
function run(module: string): readonly [number, number] {
  const script = `
    const body = JSON.parse(${text});
    const start = performance.now();
    const { getDrivingDataResponse } = await import(${JSON.stringify(module)});
    const imported = performance.now();
    if (!getDrivingDataResponse.is(body)) throw new Error('rejected');
    console.log(JSON.stringify([imported - start, performance.now() - imported]));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script]).toString();
  return JSON.parse(output) as [number, number];
}

const folder = mkdtempSync(join(tmpdir(), 'cold-start-'));
const alone = join(folder, 'alone.mjs');
const empty = join(folder, 'empty.mjs');
await build({
  stdin: {
    contents: `export { getDrivingDataResponse } from './index.js'`,
    resolveDir: fileURLToPath(new URL('../dist', import.meta.url)),
  },
  bundle: true,
  minify: true,
  format: 'esm',
  outfile: alone,
});
writeFileSync(empty, 'export const getDrivingDataResponse = { is: () => true };');

const modules: Readonly<Record<string, string>> = {
  'the whole package': import.meta.resolve('@vehicle-data/validators'),
  'one validator alone': pathToFileURL(alone).href,
  'an empty module': pathToFileURL(empty).href,
};
const runs = new Map(Object.keys(modules).map((name) => [name, [] as (readonly [number, number])[]]));
for (let round = 0; round < rounds; round++)
  for (const [name, module] of Object.entries(modules)) runs.get(name)?.push(run(module));
rmSync(folder, { recursive: true });

const report = new Report('cold-start');
for (const [name, times] of runs) {
  report.figure(`${name}: import, ms`, median(times.map(([time]) => time)));
  report.figure(`${name}: first check, ms`, median(times.map(([, time]) => time)));
  report.figure(`${name}: both, ms`, median(times.map(([imported, checked]) => imported + checked)));
  report.figure(`${name}: both, least, ms`, Math.min(...times.map(([imported, checked]) => imported + checked)));
}
report.end();
