// Writes docs/performance-validators.md from bench/results. No number on that page is typed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parts } from '../test/mutation/parts.ts';
import type { Results, Table } from './measure.ts';

interface Differential {
  readonly command: string;
  readonly date: string;
  readonly seconds: number;
  readonly inputs: number;
  readonly agreements: number;
  readonly valid: number;
  readonly comparisons: readonly { readonly name: string; readonly inputs: number; readonly agreements: number }[];
}

interface Mutation {
  readonly command: string;
  readonly score: number;
  readonly mutants: number;
  readonly noticed: number;
  readonly parts: readonly {
    readonly name: string;
    readonly score: number;
    readonly killed: number;
    readonly timeouts: number;
    readonly mutants: number;
  }[];
}

const results = fileURLToPath(new URL('results/', import.meta.url));

/** A result by its name; the page needs those that it is about. */
function read<T>(name: string): T {
  const file = `${results}${name}.json`;
  if (!existsSync(file)) throw new Error(`${file} is missing: run the command that writes it first`);
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

const objects = read<Results>('object-validators');
const streaming = read<Results>('streaming');
const coldStart = read<Results>('cold-start');
const differential = read<Differential>('differential');
const mutation = read<Mutation>('mutation');

function tableOf({ tables }: Results, title: string): Table {
  const table = tables.find((candidate) => candidate.title.startsWith(`${title},`));
  if (!table) throw new Error(`there is no table of ${title}`);
  return table;
}

/** The time of one candidate divided by that of another. */
function ratio({ times }: Table, candidate: string, base: string): number {
  return (times[candidate] ?? Number.NaN) / (times[base] ?? Number.NaN);
}

/** The time of the fastest library divided by ours. */
function fastestLibrary({ times }: Table): readonly [name: string, ratio: number] {
  const own = ['compiled', 'compiled, found by operationId', 'by hand', 'JSON.parse'];
  const libraries = Object.entries(times).filter(([name]) => !own.includes(name));
  const [name = '', time = Number.NaN] = libraries.toSorted(([, a], [, b]) => a - b)[0] ?? [];
  return [name, time / (times['compiled'] ?? Number.NaN)];
}

interface Goal {
  readonly what: string;
  readonly must: number;
  readonly aim?: number;
  readonly reached: number;
  readonly unit?: string;
}

const stream = 'stream, pieces of 64 kB';
const plain = 'stream in JavaScript alone, pieces of 64 kB';
const whole = 'decode + JSON.parse + ajv';
const hard = ['random choices', '17-digit numbers', 'pretty-printed'].map((title) => tableOf(streaming, title));
const worst = (candidate: string) => Math.max(...hard.map((table) => ratio(table, candidate, whole)));
const figure = ({ figures }: Results, name: string) => figures[name] ?? Number.NaN;

const atMost: readonly Goal[] = [
  {
    what: 'objects, driving week ÷ JSON.parse',
    must: 0.18,
    aim: 0.16,
    reached: ratio(tableOf(objects, 'driving week'), 'compiled', 'JSON.parse'),
  },
  {
    what: 'objects, powertrain week ÷ JSON.parse',
    must: 0.12,
    aim: 0.1,
    reached: ratio(tableOf(objects, 'powertrain week'), 'compiled', 'JSON.parse'),
  },
  {
    what: 'objects, driving week ÷ a loop written by hand',
    must: 1.15,
    reached: ratio(tableOf(objects, 'driving week'), 'compiled', 'by hand'),
  },
  {
    what: 'objects, powertrain week ÷ a loop written by hand',
    must: 1.15,
    reached: ratio(tableOf(objects, 'powertrain week'), 'compiled', 'by hand'),
  },
  {
    what: 'stream, 8 MB, with WebAssembly ÷ decode + JSON.parse + ajv',
    must: 0.1,
    aim: 0.07,
    reached: ratio(tableOf(streaming, 'driving 8 MB'), stream, whole),
  },
  {
    what: 'stream, 8 MB, JavaScript alone ÷ the same',
    must: 0.2,
    aim: 0.13,
    reached: ratio(tableOf(streaming, 'driving 8 MB'), plain, whole),
  },
  { what: 'stream, worst of the hard documents, with WebAssembly', must: 0.45, aim: 0.35, reached: worst(stream) },
  { what: 'stream, worst of the hard documents, JavaScript alone', must: 0.45, aim: 0.35, reached: worst(plain) },
  {
    what: 'held by a checker in the middle of 8 MB',
    must: 100,
    reached: figure(streaming, 'held by a checker in the middle of 8 MB, kB'),
    unit: 'kB',
  },
  ...['one validator alone', 'the whole package'].map((what) => ({
    what: `import and first check of a small answer in a fresh process, ${what}`,
    must: 2,
    reached: figure(coldStart, `${what}: both, ms`),
    unit: 'ms',
  })),
];

function goalRow({ what, must, aim, reached, unit = '' }: Goal): string {
  const verdict =
    reached <= (aim ?? must) ? (aim === undefined ? 'must' : 'aim') : reached <= must ? 'must' : '**missed**';
  const shown = (value: number | undefined) => (value === undefined ? '' : `≤ ${value} ${unit}`.trim());
  return `| ${what} | ${shown(must)} | ${shown(aim)} | ${`${reached.toFixed(unit === 'kB' ? 1 : 3)} ${unit}`.trim()} | ${verdict} |`;
}

function rows({ title, base, times }: Table): string {
  const lines = Object.entries(times)
    .toSorted(([, a], [, b]) => a - b)
    .map(([name, time]) => `| ${name} | ${time.toFixed(4)} | ${(time / (times[base] ?? Number.NaN)).toFixed(3)} |`);
  return [`### ${title}`, '', `| | ms | ÷ ${base} |`, '| --- | --: | --: |', ...lines, ''].join('\n');
}

const libraries = objects.tables.map((table) => {
  const [name, times] = fastestLibrary(table);
  return `- ${table.title}: the fastest library is ${name}; it takes ${times.toFixed(2)} times as long as ours.`;
});
const unmeasured = Object.keys(parts).filter((name) => !mutation.parts.some((part) => part.name === name));
const unfinished = unmeasured.length > 0 ? ` The part named ${unmeasured.join(' and ')} has no finished run yet.` : '';
const { processor, cores, system, node } = objects.machine;
const loads = [objects, streaming, coldStart].map(({ machine }) => machine.load).join(', ');

const page = `# Performance of the validators

This page is written by \`pnpm --filter @vehicle-data/validators run bench:report\` from the results in \`packages/validators/bench/results\`; no
number on it was typed. Measured on ${objects.date} on ${cores} cores of ${processor}, ${system}, Node ${node}; the load of the machine before
each of the three benches was ${loads}. Every table is one interleaved run, and its times are medians.

\`\`\`sh
pnpm --filter @vehicle-data/validators run bench               # the tables below, printed
pnpm --filter @vehicle-data/validators run bench:report        # the same, kept, and this page
pnpm --filter @vehicle-data/validators run test:differential   # ten million inputs
pnpm --filter @vehicle-data/validators run test:mutation       # the tests, tested
\`\`\`

## Goals

| what | must | aim | reached | |
| --- | --: | --: | --: | --- |
${atMost.map(goalRow).join('\n')}

${libraries.join('\n')}

## Equal to the slow ones

On ${differential.date}, ${differential.inputs.toLocaleString('en')} generated and mutated inputs were judged by the compiled checks or the streaming checker and by others (ajv
2020 and @cfworker/json-schema for schemas, the calendar of JavaScript for requests, the object validator for documents): ${differential.agreements.toLocaleString('en')} agreements,
of which ${differential.valid.toLocaleString('en')} were about valid inputs. It took ${Math.round(differential.seconds / 60)} minutes: \`${differential.command}\`.

Of ${mutation.mutants.toLocaleString('en')} changes made to the code by \`${mutation.command}\`, the tests notice ${mutation.noticed.toLocaleString('en')}: ${mutation.score} %
(${mutation.parts.map(({ name, score }) => `${name} ${score} %`).join(', ')}).${unfinished}

## Objects

A service that lacks a sample may send \`null\` in its place. The tables that say so are about good answers that come after one such
answer: what an engine learns from it can make a check slower for as long as the process lives.

${objects.tables.map(rows).join('\n')}
## Bytes as they flow

With WebAssembly, except where a row says otherwise. ${Object.entries(streaming.figures)
  .map(([name, value]) => `${name}: ${value.toFixed(1)}`)
  .join('; ')}.

${streaming.tables.map(rows).join('\n')}
## First check of a fresh process

Of a driving answer of 2.7 kB. A bundler leaves in an application the validators that it imports, which "one validator alone" stands for.

| | ms |
| --- | --: |
${Object.entries(coldStart.figures)
  .map(([name, value]) => `| ${name.replace(/, ms$/, '')} | ${value.toFixed(2)} |`)
  .join('\n')}
`;

writeFileSync(fileURLToPath(new URL('../../../docs/performance-validators.md', import.meta.url)), page);
