// How long `vds --help` takes beside two well-known command lines, interleaved: `pnpm --filter @vehicle-data/cli run bench`.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const vds = `${root}packages/cli/dist/main.js`;
const rounds = 15;
const contenders = {
  'node -e 0': ['-e', '0'],
  'vds --help': [vds, '--help'],
  'vds complete -- location': [vds, 'complete', '--', 'location', ''],
  'redocly --help': [`${root}openapi/node_modules/@redocly/cli/bin/cli.js`, '--help'],
  'changeset --help': [`${root}node_modules/@changesets/cli/bin.js`, '--help'],
};

const times = Object.entries(contenders).map(([name, parameters]) => ({ name, parameters, ms: [] as number[] }));
for (let round = 0; round < rounds; round++) {
  for (const { name, parameters, ms } of times) {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, parameters, { stdio: 'ignore', env: { PATH: process.env['PATH'] } });
    if (status !== 0) throw new Error(`${name} ended with ${status}`);
    ms.push(Math.round(performance.now() - start));
  }
}
console.log(`${cpus()[0]?.model}, Node ${process.versions.node}, ${rounds} rounds`);
console.table(
  times.map(({ name, ms }) => ({ name, medianMs: ms.toSorted((a, b) => a - b)[rounds >> 1], bestMs: Math.min(...ms) })),
);
