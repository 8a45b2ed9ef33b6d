import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { deadlineMs, expectedOf, type Fault, faults, playFault, requestOf } from '../test/support/faults.ts';
import { clientToken, type Outcome, ownToken, playScenario, readYaml, scenarios } from '../test/support/scenarios.ts';
import { type RawUpstream, respondSuccess, startRawUpstream } from '../test/support/servers.ts';
import { RawClient, statusOf } from '../test/support/wire.ts';
import { cache } from './bundle.ts';
import { type RuntimeName, runtimeNames, servedOn, startRuntime, systemNode } from './start-runtime.ts';

/** Header names that the HTTP client of a platform adds to requests to the upstream. */
const addedNames: Readonly<Record<RuntimeName, readonly string[]>> = {
  'system-node': [],
  'hono-sockets': [],
  'hono-fetch': ['accept', 'accept-encoding', 'accept-language', 'connection', 'sec-fetch-mode', 'user-agent'],
  workerd: ['accept-encoding', 'connection', 'content-length'],
  deno: ['accept', 'accept-encoding', 'accept-language', 'content-length', 'user-agent'],
  bun: ['accept', 'accept-encoding', 'connection', 'content-length', 'user-agent'],
};

/** Scenarios or faults that a platform's own HTTP parser accepts and the program on Node rejects, or the other way round. */
interface Difference {
  readonly runtimes: readonly RuntimeName[];
  /** File of the story, or of the faults. */
  readonly file: string;
  readonly cases: readonly string[];
  readonly reason: string;
}

const differences = readYaml<readonly Difference[]>('../runtimes/differences.yaml');

/** Whether it is published that this case ends otherwise on this runtime. */
function isPublished(runtime: RuntimeName, file: string, name: string): boolean {
  return differences.some((each) => each.runtimes.includes(runtime) && each.file === file && each.cases.includes(name));
}

it('the Worker is small and needs no Node', () => {
  const code = readFileSync(`${cache}worker.js`);
  // A free Worker may have 3 MB; what it loads delays its first request.
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(80_000);
  expect(code.toString()).not.toMatch(/["'`]node:/);
});

if (systemNode === undefined) console.log('not run on the Node of the system: there is none on the PATH');

describe.each(runtimeNames.filter((name) => name !== 'system-node' || systemNode))('on %s', (runtime) => {
  it.each([
    { kind: 'faults', play: runFaults },
    { kind: 'scenarios', play: playScenarios },
  ])('all of them end safely: $kind', async ({ kind, play }) => {
    const { played, different, wrong } = await play(runtime);
    console.log(`${runtime}: ${played} ${kind}, ${different} end otherwise`);
    expect(wrong).toEqual([]);
  });
});

const whatOf = ({ wrong, different }: Outcome) => [...wrong, ...different].join('; ');

async function playScenarios(runtime: RuntimeName) {
  const upstream = await startRawUpstream();
  const identities = [{ kind: 'forward' }, { kind: 'static', accessToken: ownToken }] as const;
  const kinds = identities.flatMap((upstreamAuth) =>
    [false, true].map((allowStopAll) => ({ upstreamAuth, allowStopAll })),
  );
  const list = await Promise.all(kinds.map((kind) => servedOn({ upstreamUrl: upstream.url, ...kind })));
  const started = await startRuntime(runtime, list);
  const platform = { addedNames: addedNames[runtime], ownServer: runtime === 'system-node' };
  const wrong: string[] = [];
  let played = 0;
  let different = 0;
  for (const [index, { upstreamAuth, allowStopAll }] of kinds.entries()) {
    const { port = 0 } = list[index] ?? {};
    const identity = upstreamAuth.kind;
    for (const scenario of scenarios) {
      if (scenario.allowStopAll !== allowStopAll || (scenario.identity ?? identity) !== identity) continue;
      played++;
      const { file, case: name } = scenario;
      const play = () => playScenario(scenario, port, upstream, identity, platform);
      const isWrong = ({ wrong: unsafe, different: other }: Outcome) =>
        (unsafe.length > 0 || (platform.ownServer && other.length > 0)) && !isPublished(runtime, file, name);
      let outcome = await play();
      if (isWrong(outcome)) {
        // On a busy machine, what the case before sent can arrive during this one. So it is played once more, alone.
        console.log(`  played again: ${runtime}, ${file}: ${name}: ${whatOf(outcome)}`);
        await setTimeout(500);
        upstream.forget();
        outcome = await play();
      }
      if (whatOf(outcome) !== '') different++;
      if (isWrong(outcome)) wrong.push(`${file}: ${name}: ${whatOf(outcome)}`);
    }
  }
  // The canaries: nothing that was sent is in what the process wrote.
  for (const canary of [clientToken, ownToken, 'KMHXX00XXXX0'])
    if (started.output().includes(canary)) wrong.push(`the output holds ${canary}`);
  return { played, different, wrong };
}

/** Proxies that play faults side by side, each with an upstream of its own. */
const lanes = 6;

// Time is spent on the platform's limits of 100 MB and not on anything of ours.
const played = faults.filter(({ longBytes }) => longBytes === undefined);

/**
 * Plays the faults of the upstream against a runtime. What must hold everywhere: every client gets something within the deadline, a DELETE is
 * sent once, a cut response is never passed off as whole, the next client is served, and of what the program on Node rejects only what is
 * published is accepted. What does not hold comes under `wrong`.
 */
async function runFaults(runtime: RuntimeName) {
  const usual = played.filter(({ totalDeadlineMs }) => totalDeadlineMs === undefined);
  const lists = Array.from({ length: lanes }, (_, lane) => usual.filter((_fault, index) => index % lanes === lane));
  for (const fault of played) if (fault.totalDeadlineMs !== undefined) lists.push([fault]);
  const started = await Promise.all(lists.map(laneFor));
  const proxies = started.map(({ proxy }) => proxy);
  await startRuntime(runtime, proxies);
  let different = 0;
  const wrong: string[] = [];
  await Promise.all(
    started.map(async ({ upstream, proxy, list }) => {
      for (const fault of list) {
        const outcome = await play(fault, upstream, proxy.port);
        wrong.push(...outcome.unsafe.map((what) => `${fault.fault}: ${what}`));
        if (outcome.got === expectedOf(fault)) continue;
        different++;
        const isAccepted = outcome.got.endsWith(' whole');
        if (isAccepted && !isPublished(runtime, 'faults.yaml', fault.fault))
          wrong.push(`${fault.fault}: ${outcome.got}`);
      }
    }),
  );
  return { played: played.length, different, wrong };
}

/** An upstream and a proxy for faults that have one deadline. */
async function laneFor(list: readonly Fault[]) {
  const upstream = await startRawUpstream();
  const totalDeadlineMs = list[0]?.totalDeadlineMs ?? null;
  return { list, upstream, proxy: await servedOn({ upstreamUrl: upstream.url, deadlineMs, totalDeadlineMs }) };
}

async function play(fault: Fault, upstream: RawUpstream, port: number) {
  const unsafe: string[] = [];
  upstream.behave = respondSuccess;
  // Good requests beside each fault keep the circuit breaker closed and the retry budget full.
  for (let turn = 0; turn < 4; turn++) await get(port);
  upstream.forget();
  const client = new RawClient(port);
  const { got } = await playFault(fault, upstream, client);
  client.close();
  if (got === 'nothing in time' || got === 'a cut response as a whole one') unsafe.push(got);
  const deletes = upstream.requests().filter(({ start }) => start.startsWith('DELETE')).length;
  if (deletes > 1) unsafe.push(`the DELETE was sent ${deletes} times`);
  if (deletes > 0 && got.endsWith('upstream-unreachable')) unsafe.push('a DELETE that was sent is reported as unsent');
  upstream.behave = respondSuccess;
  if ((await get(port)) !== 200) unsafe.push('the next client was not served');
  upstream.forget();
  return { got, unsafe };
}

async function get(port: number): Promise<number> {
  const client = new RawClient(port);
  client.send(requestOf());
  const [response] = await client.responses(1, 5000).catch(() => []);
  client.close();
  return statusOf(response);
}
