// Honest callers beside hostile ones, with a heap of 128 MB: are all of them served, and how late?
//   node bench/safety/slow-callers.ts [--seconds 15]
// First 200 callers who never read their answers of 100 MB, then slowhttptest in its three modes (Debian: slowhttptest).
import { fork, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startProgram } from '../../test/support/program.ts';
import { smallAnswer } from './small-answer.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '15' } } });
const seconds = Number(values.seconds);
const hostileSide = fileURLToPath(new URL('hostile-side.ts', import.meta.url));
const service = fork(hostileSide, ['service']);
const servicePort = await new Promise<number>((resolve) => service.once('message', (port) => resolve(Number(port))));
const settings = {
  VDS_UPSTREAM_URL: `http://127.0.0.1:${servicePort}`,
  VDS_LOG_LEVEL: 'silent',
};
const proxy = await startProgram(settings, [], ['--max-old-space-size=128']);

function residentKilobytes(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${proxy.process.pid}/status`, 'utf8'))?.[1] ?? 0);
}

/** One honest caller: a call every 20 ms, half of them on a connection of its own. */
async function honest(until: number, times: number[], failures: string[]): Promise<void> {
  while (performance.now() < until) {
    const startedMs = performance.now();
    await fetch(`http://127.0.0.1:${proxy.port}/v1/vehicles/consent`, {
      headers: { brand: 'brand_a', ...(times.length % 2 === 0 ? { connection: 'close' } : {}) },
    }).then(
      async (answer) => {
        if (answer.status !== 200 || (await answer.text()) !== smallAnswer) failures.push(String(answer.status));
      },
      () => failures.push('no answer'),
    );
    times.push(performance.now() - startedMs);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function measure(name: string, mostP99Ms = Number.POSITIVE_INFINITY): Promise<void> {
  const times: number[] = [];
  const failures: string[] = [];
  const until = performance.now() + seconds * 1000;
  let peak = 0;
  const sampler = setInterval(() => (peak = Math.max(peak, residentKilobytes())), 250);
  await Promise.all(Array.from({ length: 4 }, () => honest(until, times, failures)));
  clearInterval(sampler);
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  console.log(
    `${name}: ${times.length} honest calls, ${times.length - failures.length} served; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; resident at most ${Math.round(peak / 1024)} MB`,
  );
  if (failures.length > 0 || Number(at(0.99)) > mostP99Ms || proxy.process.exitCode !== null) process.exitCode = 1;
}

await measure('nobody else');
const idle = residentKilobytes();
const sleepers = fork(hostileSide, ['sleepers', String(proxy.port)]);
await new Promise((resolve) => setTimeout(resolve, 1000));
console.log(`memory for each of 200 callers who never read: ${Math.round((residentKilobytes() - idle) / 200)} kB`);
await measure('200 callers who never read 100 MB', 100);
sleepers.kill();

const target = `http://127.0.0.1:${proxy.port}/v1/vehicles/consent`;
const modes = {
  'slowhttptest, slow heads': ['-H', '-i', '2'],
  'slowhttptest, slow bodies': ['-B', '-i', '2'],
  'slowhttptest, slow reading': ['-X', '-w', '1', '-y', '1', '-n', '5', '-z', '1'],
};
for (const [name, flags] of Object.entries(modes)) {
  const attack = spawn('slowhttptest', [...flags, '-c', '500', '-r', '200', '-l', String(seconds + 2), '-u', target], {
    stdio: 'ignore',
  });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await measure(name);
  attack.kill('SIGINT');
}
console.log(`the process is ${proxy.process.exitCode === null ? 'alive' : 'dead'}`);
proxy.process.kill('SIGTERM');
await proxy.exit;
service.kill();
process.exit();
