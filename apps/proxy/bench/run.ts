// Measures our proxy beside others. Quick by default; `--full` visits every workload and every peer.
import { mkdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Contender, contenders, guardLadder } from './contenders.ts';
import { installPeers } from './install-peers.ts';
import { type Effort, interleave } from './interleave.ts';
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

/** Long responses to many connections need long rounds. A full run visits them twice, those of a goal three times. */
function effortFor(each: Workload): Effort {
  const twice = values.full && each.bytes > 300 && each.connections !== 4;
  const rounds = Number(values.rounds ?? (twice ? 2 : 3));
  return { rounds, seconds: Math.max(leastSeconds(each), Number(values.seconds ?? 1)) };
}

const cache = fileURLToPath(new URL('.cache/', import.meta.url));
const folders = { cache, peers: join(cache, 'peers') };
const list = chosenContenders();
mkdirSync(cache, { recursive: true });
if (list.some(({ peer }) => peer)) installPeers(cache);

console.log(`${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.versions.node}`);
for (const each of chosenWorkloads()) {
  const effort = effortFor(each);
  const rows = await interleave(list, each, effort, folders);
  console.log(`\n## ${each.title}, ${effort.rounds} rounds of ${effort.seconds} s\n\n${workloadTable(rows, each)}`);
}
process.exit(0);
