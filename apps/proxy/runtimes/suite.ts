import { setTimeout } from 'node:timers/promises';
import { clientToken, type Outcome, ownToken, playScenario, scenarios } from '../test/support/scenarios.ts';
import { startRawServer } from '../test/support/servers.ts';
import { bundleAll } from './bundle.ts';
import { isPublished } from './differences.ts';
import { runDocsChecks } from './docs-pages.ts';
import { runFaults } from './faults.ts';
import { type RuntimeName, runtimeNames, type ServedProxy, servedOn, startRuntime } from './start-runtime.ts';
import { runStateChecks, stateChecks } from './state/checks.ts';

/** Header names that the HTTP client of a platform adds to requests to the upstream. */
const addedNames: Readonly<Record<RuntimeName, readonly string[]>> = {
  'hono-sockets': [],
  'hono-fetch': ['accept', 'accept-encoding', 'accept-language', 'connection', 'sec-fetch-mode', 'user-agent'],
  workerd: ['accept-encoding', 'connection', 'content-length'],
  deno: ['accept', 'accept-encoding', 'accept-language', 'content-length', 'user-agent'],
  bun: ['accept', 'accept-encoding', 'connection', 'content-length', 'user-agent'],
};

const maxBundleBytes = 70_000;

/** Runs everything; `true` when everything holds but what is published. */
export async function runSuite(): Promise<boolean> {
  let good = true;
  /** Prints what was run and each thing that does not hold. */
  const report = (title: string, wrong: readonly string[]) => {
    console.log([title, ...wrong].join('\n  '));
    good &&= wrong.length === 0;
  };

  const bundle = await bundleAll();
  const sized = `Worker bundle: ${bundle.compressedBytes} bytes compressed`;
  report(
    sized,
    bundle.compressedBytes < maxBundleBytes ? bundle.builtins : ['more than it may have', ...bundle.builtins],
  );
  report(`workerd with Durable Objects: ${stateChecks.length} checks`, await runStateChecks());
  report('workerd with static assets', await runDocsChecks());

  for (const runtime of runtimeNames) {
    const { played, different, wrong } = await runFaults(runtime);
    report(`${runtime}: ${played} faults, ${different} end otherwise, ${wrong.length} of them wrongly`, wrong);
  }
  for (const runtime of runtimeNames) {
    const { played, different, wrong } = await playAll(runtime);
    report(`${runtime}: ${played} scenarios, ${different} end otherwise, ${wrong.length} of them wrongly`, wrong);
  }
  return good;
}

async function playAll(runtime: RuntimeName) {
  const upstream = await startRawServer();
  const list: ServedProxy[] = [];
  for (const upstreamAuth of [{ kind: 'forward' }, { kind: 'static', accessToken: ownToken }] as const)
    for (const allowStopAll of [false, true]) list.push(await servedOn(upstream.url, { upstreamAuth, allowStopAll }));
  const started = await startRuntime(runtime, list);
  const platform = { addedNames: addedNames[runtime], ownServer: false };
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
      const isWrong = (each: Outcome) => each.wrong.length > 0 && !isPublished(runtime, file, name);
      let outcome = await play();
      if (isWrong(outcome)) {
        // On a busy machine, what the case before sent can arrive during this one. So it is played once more, alone.
        console.log(`  played again: ${runtime}, ${file}: ${name}: ${outcome.wrong.join('; ')}`);
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
