import { setTimeout } from 'node:timers/promises';
import {
  clientToken,
  type Outcome,
  ownToken,
  type Platform,
  playScenario,
  readYaml,
  type Scenario,
  scenarios,
} from '../test/support/scenarios.ts';
import { startRawServer } from '../test/support/servers.ts';
import { bundleAll } from './bundle.ts';
import { runDocsChecks } from './docs-pages.ts';
import { type FaultDifference, runFaults } from './faults.ts';
import { type Difference, type Lenience, publishDifferences, publishFaultDifferences } from './publish.ts';
import { type RuntimeName, runtimeNames, type ServedProxy, servedOn, startRuntime } from './start-runtime.ts';
import { runStateChecks, stateChecks } from './state/checks.ts';

const leniences = readYaml<readonly Lenience[]>('../runtimes/leniences.yaml');

const platformOf = (...addedNames: string[]): Platform => ({ addedNames, ownServer: false });
const platforms: Readonly<Record<RuntimeName, Platform>> = {
  node: { addedNames: [], ownServer: true },
  'hono-sockets': platformOf(),
  'hono-fetch': platformOf(
    'accept',
    'accept-encoding',
    'accept-language',
    'connection',
    'sec-fetch-mode',
    'user-agent',
  ),
  workerd: platformOf('accept-encoding', 'connection', 'content-length'),
  deno: platformOf('accept', 'accept-encoding', 'accept-language', 'content-length', 'user-agent'),
  bun: platformOf('accept', 'accept-encoding', 'connection', 'content-length', 'user-agent'),
};

const maxBundleBytes = 70_000;

/** Runs everything; `true` when nothing but the published differences was found. */
export async function runSuite(update: boolean): Promise<boolean> {
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

  const faultDifferences: FaultDifference[] = [];
  for (const runtime of runtimeNames) {
    const { played, different, unsafe } = await runFaults(runtime);
    report(`${runtime}: ${played} faults, ${different.length} differences, ${unsafe.length} of them unsafe`, unsafe);
    faultDifferences.push(...different);
  }
  const differences: Difference[] = [];
  for (const runtime of runtimeNames) {
    const { played, found } = await playAll(runtime);
    const unexpected = found.filter(({ kind }) => kind === 'unexpected');
    const wrong = unexpected.map(({ file, name, what }) => `${file}: ${name}: ${what}`);
    const strict = notLenient(runtime, found).map((name) => `${name}: no longer lenient`);
    const title = `${runtime}: ${played} scenarios, ${found.length} differences, ${unexpected.length} of them unexpected`;
    report(title, [...wrong, ...strict]);
    differences.push(...found);
  }
  for (const [page, isRight] of [
    ['fault-differences.md', publishFaultDifferences(faultDifferences, update)],
    ['differences.md', publishDifferences(leniences, differences, update)],
  ] as const)
    if (!isRight) report(`runtimes/${page} is not what was found`, ['run with --update and review the difference']);
  return good;
}

/** The listed leniences that did not happen. */
function notLenient(runtime: RuntimeName, found: readonly Difference[]): string[] {
  const listed = leniences.filter(({ runtimes }) => runtimes.includes(runtime));
  const happened = found.map(({ file, name }) => `${file}: ${name}`);
  return listed
    .flatMap(({ file, cases }) => cases.map((name) => `${file}: ${name}`))
    .filter((each) => !happened.includes(each));
}

async function playAll(runtime: RuntimeName): Promise<{ played: number; found: Difference[] }> {
  const upstream = await startRawServer();
  const list: ServedProxy[] = [];
  for (const upstreamAuth of [{ kind: 'forward' }, { kind: 'static', accessToken: ownToken }] as const)
    for (const allowStopAll of [false, true]) list.push(await servedOn(upstream.url, { upstreamAuth, allowStopAll }));
  const started = await startRuntime(runtime, list);
  const found: Difference[] = [];
  let played = 0;
  for (const { port, config } of list) {
    const identity = config.upstreamAuth.kind;
    for (const scenario of scenarios) {
      if (scenario.allowStopAll !== config.allowStopAll || (scenario.identity ?? identity) !== identity) continue;
      played++;
      const { file, case: name } = scenario;
      const play = () => playScenario(scenario, port, upstream, identity, platforms[runtime]);
      let outcome = await play();
      if (outcome.unsafe.length > 0 && kindOf(runtime, scenario, outcome) === 'unexpected') {
        // On a busy machine, what the case before sent can arrive during this one. So it is played once more, alone.
        console.log(`  played again: ${runtime}, ${file}: ${name}: ${outcome.unsafe.join('; ')}`);
        await setTimeout(500);
        upstream.forget();
        outcome = await play();
      }
      const what = [...outcome.unsafe, ...outcome.different].join('; ');
      if (what !== '') found.push({ runtime, file, name, what, kind: kindOf(runtime, scenario, outcome) });
    }
  }
  started.stop();
  await upstream.close();
  // The canaries: nothing that was sent is in what the process wrote.
  for (const canary of [clientToken, ownToken, 'KMHXX00XXXX0'])
    if (started.output().includes(canary))
      found.push({ runtime, file: 'output', name: canary, what: 'the output holds it', kind: 'unexpected' });
  return { played, found };
}

function kindOf(runtime: RuntimeName, scenario: Scenario, { unsafe, byPlatform }: Outcome): Difference['kind'] {
  const { file: story, case: name } = scenario;
  const isListed = leniences.some(
    ({ runtimes, file, cases }) => runtimes.includes(runtime) && file === story && cases.includes(name),
  );
  if (isListed) return 'lenient';
  if (unsafe.length > 0 || runtime === 'node') return 'unexpected';
  return byPlatform ? 'rejected by the runtime' : 'other words';
}
