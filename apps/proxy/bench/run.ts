// Measures our proxy beside others. Quick by default; `--full` visits every workload and every peer.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Contender, contenders, guardLadder } from './contenders.ts';
import { installPeers } from './install-peers.ts';
import { type Effort, interleave, type Row } from './interleave.ts';
import { describeMachine } from './machine.ts';
import { workloadTable } from './table.ts';
import { fullMatrix, leastSeconds, type Workload, workload } from './workloads.ts';

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    guards: { type: 'boolean', default: false },
    only: { type: 'string' },
    workload: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
  },
});

const quickNames = new Set(['ours', 'nginx', 'haproxy', 'node-http', 'hono-proxy']);
const quickWorkloads = [workload(300, 32), workload(300, 1), workload(1_000_000, 4)];
const ladderWorkloads = [workload(300, 32), workload(1_000_000, 4), workload(8_000_000, 4)];

function chosenContenders(): readonly Contender[] {
  const all = values.guards ? guardLadder : contenders;
  if (values.only !== undefined) {
    const names = values.only.split(',');
    return all.filter(({ name }) => names.includes(name));
  }
  return values.full || values.guards ? all : all.filter(({ name }) => quickNames.has(name));
}

function chosenWorkloads(): readonly Workload[] {
  if (values.workload !== undefined) {
    return values.workload.split(',').map((text) => {
      const [, bytes, connections, tls] = /^(\d+)x(\d+)(-tls)?$/.exec(text) ?? [];
      if (bytes === undefined)
        throw new Error('--workload takes BYTESxCONNECTIONS or BYTESxCONNECTIONS-tls, with commas between');
      return workload(Number(bytes), Number(connections), tls !== undefined);
    });
  }
  if (values.guards) return ladderWorkloads;
  return values.full ? fullMatrix : quickWorkloads;
}

/** Long answers to many connections need long rounds. A full run visits them twice, so that it ends within half an hour, but those of a goal thrice. */
function effortFor(each: Workload): Effort {
  const twice = values.full && each.bytes > 300 && each.connections !== 4;
  const rounds = Number(values.rounds ?? (twice ? 2 : 3));
  return { rounds, seconds: Math.max(leastSeconds(each), Number(values.seconds ?? 1)) };
}

const cache = fileURLToPath(new URL('.cache/', import.meta.url));
const folders = { cache, peers: join(cache, 'peers') };
/** A contender that is not asked for long answers, with the reason for the table. */
function tooSlow({ name, title }: Contender): Row {
  const problem = 'needs most of a second for one answer of this size';
  return { name, title, samples: [], memory: { peak: 0, now: 0 }, problem };
}

const list = chosenContenders();
mkdirSync(cache, { recursive: true });
if (list.some(({ peer, name }) => peer || name === 'ours-bun' || name === 'ours-deno')) installPeers(cache);

const machine = describeMachine();
console.log(`${machine.processor}, ${machine.cores} cores; ${JSON.stringify(machine.programs)}`);
for (const each of chosenWorkloads()) {
  const fit = list.filter(({ smallOnly }) => smallOnly !== true || each.bytes <= 300);
  const effort = effortFor(each);
  const rows = [
    ...(await interleave(fit, each, effort, folders)),
    ...list.filter((one) => !fit.includes(one)).map(tooSlow),
  ];
  console.log(`\n## ${each.title}, ${effort.rounds} rounds of ${effort.seconds} s\n\n${workloadTable(rows, each)}`);
}
process.exit(0);
