// `npm run bench:dev`: how long `npm run dev` takes from a save of the contract to a response that follows it. Five times, an overlay
// lowers the longest range of days, and proxy and sandbox are asked for one more day until they reject it. The overlay goes at the end.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { operations } from '../openapi/dist/index.js';

const saves = 5;
const withinMs = 120_000;
const askedEveryMs = 20;
const ticksPerSecond = 100;
const root = fileURLToPath(new URL('..', import.meta.url));
const overlay = `${root}openapi/overlay.yaml`;

if (existsSync(overlay)) {
  console.error('openapi/overlay.yaml is there already, and would be replaced; move it away first');
  process.exit(1);
}

const child = spawn(process.execPath, [`${root}scripts/start.js`, '--no-build', '--watch'], {
  env: { ...process.env, VDS_PORT: '0', VDS_SANDBOX_PORT: '0' },
  stdio: ['ignore', 'pipe', 'pipe'],
});
// Also where it is interrupted, or nobody reads what it prints any more: the overlay would change every build after it.
process.once('exit', () => {
  rmSync(overlay, { force: true });
  child.kill('SIGINT');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

let printed = '';
for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));

/** @param {string} text @param {number} from */
async function untilPrinted(text, from) {
  const deadline = performance.now() + withinMs;
  while (!printed.slice(from).includes(text)) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`no "${text}" in:\n${printed}`);
    await sleep(askedEveryMs);
  }
}

/** Seconds of processor time of a process and what it started so far; undefined where there is no /proc. @param {number} pid */
function processorSeconds(pid) {
  if (!existsSync('/proc/self/stat')) return undefined;
  /** Each process with its parent and its ticks: its own, and those of children that ended. @type {Map<number, readonly [number, number]>} */
  const processes = new Map();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number);
      const [parent = 0] = fields.slice(1, 2);
      processes.set(Number(name), [parent, fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0)]);
    } catch {
      // It ended meanwhile.
    }
  }
  const isOurs = (/** @type {number} */ each) => {
    for (let at = each; at > 1; at = processes.get(at)?.[0] ?? 0) if (at === pid) return true;
    return false;
  };
  const ours = [...processes].filter(([each]) => isOurs(each));
  return ours.reduce((sum, [, [, ticks]]) => sum + ticks, 0) / ticksPerSecond;
}

/** Asks for so many days until that is too long. @param {string} url @param {number} days @param {number} startedMs */
async function secondsUntilRejected(url, days, startedMs) {
  const { parameters, path } = operations.getDrivingData;
  const [brand] = parameters[0].rule.enum;
  const headers = { Brand: brand, Authorization: 'Bearer demo-access-token' };
  const range = `startDate=20260201&endDate=${20260201 + days}`;
  const address = `${url}${path.replace('{vin}', 'AAAAAAAAAAAAAAAA1')}?${range}`;
  while (performance.now() - startedMs < withinMs) {
    const response = await fetch(address, { headers, signal: AbortSignal.timeout(withinMs) }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (text?.includes('"4002"')) return (performance.now() - startedMs) / 1000;
    await sleep(askedEveryMs);
  }
  throw new Error(`not served within ${withinMs / 1000} s:\n${printed}`);
}

const figure = (/** @type {number | undefined} */ seconds) => (seconds?.toFixed(2) ?? 'unknown').padStart(9);

try {
  await untilPrinted('Watching the sources.', 0);
  const [sandbox = '', proxy = ''] = [...printed.matchAll(/^(?:Sandbox|Proxy) +(http:\S+)/gm)].map(([, url]) => url);
  console.log('Seconds from the save of the contract to the first response that follows it, on the wall;');
  console.log('and of processor time until both respond, with what they are asked meanwhile:\n');
  console.log('save     proxy  sandbox  processor   load');
  for (let save = 1; save <= saves; save += 1) {
    const maxDays = operations.getDrivingData.dateRange.maxDays - save;
    const from = printed.length;
    const before = processorSeconds(child.pid ?? 0);
    const startedMs = performance.now();
    const update = `[{ target: "$.paths.*.*['x-date-range']", update: { maxDays: ${maxDays} } }]`;
    writeFileSync(overlay, `overlay: 1.0.0\ninfo: { title: Shorter ranges, version: 1.0.0 }\nactions: ${update}\n`);
    const [ofProxy, ofSandbox] = await Promise.all(
      [proxy, sandbox].map((url) => secondsUntilRejected(url, maxDays + 1, startedMs)),
    );
    const after = processorSeconds(child.pid ?? 0);
    const processor = before === undefined || after === undefined ? undefined : after - before;
    console.log(`${save}   ${figure(ofProxy)}${figure(ofSandbox)}  ${figure(processor)}  ${loadavg()[0]?.toFixed(1)}`);
    await untilPrinted('The rest is made', from);
  }
} finally {
  rmSync(overlay, { force: true });
  child.kill('SIGINT');
  spawnSync('npm', ['run', '--silent', 'build', '--', '--output-logs=errors-only'], { cwd: root, stdio: 'inherit' });
}
