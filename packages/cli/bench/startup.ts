// How long `vds --help` takes beside two well-known command lines, interleaved: `pnpm --filter @vehicle-data/cli run bench`.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const rounds = 15;
const contenders = {
  'node -e 0': ['-e', '0'],
  'vds --help': [fileURLToPath(new URL('../dist/main.js', import.meta.url)), '--help'],
  'vds complete -- location': [
    fileURLToPath(new URL('../dist/main.js', import.meta.url)),
    'complete',
    '--',
    'location',
    '',
  ],
  'redocly --help': [`${root}openapi/node_modules/@redocly/cli/bin/cli.js`, '--help'],
  'changeset --help': [`${root}node_modules/@changesets/cli/bin.js`, '--help'],
};

const times = new Map<string, number[]>();
for (let round = 0; round < rounds; round++) {
  for (const [name, parameters] of Object.entries(contenders)) {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, parameters, { stdio: 'ignore', env: { PATH: process.env['PATH'] } });
    if (status !== 0) throw new Error(`${name} ended with ${status}`);
    times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
  }
}
const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
const own = median(times.get('vds --help') ?? []);
console.log(`${cpus()[0]?.model}, Node ${process.versions.node}, median and best of ${rounds} rounds`);
for (const [name, list] of times)
  console.log(
    `${name.padEnd(28)} ${median(list).toFixed(0).padStart(5)} ms ${Math.min(...list)
      .toFixed(0)
      .padStart(5)} ms  ${(median(list) / own).toFixed(2)} × vds`,
  );
