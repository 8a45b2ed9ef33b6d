import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { clientToken, type Outcome, ownToken, playScenario, scenarios } from '../test/support/scenarios.ts';
import { startRawServer } from '../test/support/servers.ts';
import { bundleAll } from './bundle.ts';
import { isPublished } from './differences.ts';
import { runFaults } from './faults.ts';
import {
  type RuntimeName,
  runtimeNames,
  type ServedProxy,
  servedOn,
  startRuntime,
  systemNode,
} from './start-runtime.ts';

/** Header names that the HTTP client of a platform adds to requests to the upstream. */
const addedNames: Readonly<Record<RuntimeName, readonly string[]>> = {
  'system-node': [],
  'hono-sockets': [],
  'hono-fetch': ['accept', 'accept-encoding', 'accept-language', 'connection', 'sec-fetch-mode', 'user-agent'],
  workerd: ['accept-encoding', 'connection', 'content-length'],
  deno: ['accept', 'accept-encoding', 'accept-language', 'content-length', 'user-agent'],
  bun: ['accept', 'accept-encoding', 'connection', 'content-length', 'user-agent'],
};

const maxBundleBytes = 70_000;

it('the Worker is small and needs no Node', async () => {
  const { compressedBytes, builtins } = await bundleAll();
  expect(compressedBytes).toBeLessThan(maxBundleBytes);
  expect(builtins).toEqual([]);
});

if (systemNode === undefined) console.log('not run on the Node of the system: there is none on the PATH');

describe.each(runtimeNames.filter((name) => name !== 'system-node' || systemNode))('on %s', (runtime) => {
  it.each([
    ['faults', runFaults],
    ['scenarios', playScenarios],
  ])('all %s end safely', async (kind, play) => {
    const { played, different, wrong } = await play(runtime);
    console.log(`${runtime}: ${played} ${kind}, ${different} end otherwise`);
    expect(wrong).toEqual([]);
  });
});

async function playScenarios(runtime: RuntimeName) {
  const upstream = await startRawServer();
  const list: ServedProxy[] = [];
  for (const upstreamAuth of [{ kind: 'forward' }, { kind: 'static', accessToken: ownToken }] as const)
    for (const allowStopAll of [false, true]) list.push(await servedOn(upstream.url, { upstreamAuth, allowStopAll }));
  const started = await startRuntime(runtime, list);
  const platform = { addedNames: addedNames[runtime], ownServer: runtime === 'system-node' };
  const wrong: string[] = [];
  let played = 0;
  let different = 0;
  for (const { port, config } of list) {
    const identity = config.upstreamAuth.kind;
    for (const scenario of scenarios) {
      if (scenario.allowStopAll !== config.allowStopAll || (scenario.identity ?? identity) !== identity) continue;
      played++;
      const { file, case: name } = scenario;
      const play = () => playScenario(scenario, port, upstream, identity, platform);
      const isWrong = ({ wrong: unsafe, different: other }: Outcome) =>
        (unsafe.length > 0 || (platform.ownServer && other.length > 0)) && !isPublished(runtime, file, name);
      let outcome = await play();
      if (isWrong(outcome)) {
        // On a busy machine, what the case before sent can arrive during this one. So it is played once more, alone.
        console.log(
          `  played again: ${runtime}, ${file}: ${name}: ${[...outcome.wrong, ...outcome.different].join('; ')}`,
        );
        await setTimeout(500);
        upstream.forget();
        outcome = await play();
      }
      const what = [...outcome.wrong, ...outcome.different];
      if (what.length > 0) different++;
      if (isWrong(outcome)) wrong.push(`${file}: ${name}: ${what.join('; ')}`);
    }
  }
  await started.kill();
  await upstream.close();
  // The canaries: nothing that was sent is in what the process wrote.
  for (const canary of [clientToken, ownToken, 'KMHXX00XXXX0'])
    if (started.output().includes(canary)) wrong.push(`the output holds ${canary}`);
  return { played, different, wrong };
}
