import { setTimeout } from 'node:timers/promises';
import { startRecordingUpstream } from '../test/support/recording-upstream.ts';
import { readStories } from '../test/support/scenario-files.ts';
import { bundleAll } from './bundle.ts';
import { docsChecks, runDocsChecks } from './docs-pages.ts';
import { leniences, type RuntimeName, runtimeNames } from './exceptions.ts';
import { type FaultDifference, publishFaultDifferences, runFaults } from './faults.ts';
import { callersToken, type Look, ownToken, playCase } from './play.ts';
import { type Deviation, publishDeviations } from './publish-deviations.ts';
import { runSentOnce } from './sent-once.ts';
import type { ServedProxy } from './served-proxy.ts';
import { freePort, startRuntime } from './start-runtime.ts';
import { runStateChecks, stateChecks } from './state/checks.ts';
import { firstAnswerMs, wranglerAccepts } from './worker-checks.ts';

const looks: Readonly<Record<RuntimeName, Look>> = {
  node: { addedNames: [], ownsConnections: true },
  'hono-sockets': { addedNames: [], ownsConnections: false },
  'hono-fetch': {
    addedNames: ['accept', 'accept-encoding', 'accept-language', 'connection', 'sec-fetch-mode', 'user-agent'],
    ownsConnections: false,
  },
  workerd: { addedNames: ['accept-encoding', 'connection', 'content-length'], ownsConnections: false },
  deno: {
    addedNames: ['accept', 'accept-encoding', 'accept-language', 'content-length', 'user-agent'],
    ownsConnections: false,
  },
  bun: {
    addedNames: ['accept', 'accept-encoding', 'connection', 'content-length', 'user-agent'],
    ownsConnections: false,
  },
};

const maxBundleBytes = 70_000;

/** Runs everything; `true` when nothing but the published deviations was found. */
export async function runSuite(update: boolean): Promise<boolean> {
  const bundle = await bundleAll();
  console.log(`Worker bundle: ${bundle.compressedBytes} bytes compressed, modules of Node: ${bundle.builtins.length}`);
  let good = bundle.compressedBytes < maxBundleBytes && bundle.builtins.length === 0;
  const accepted = wranglerAccepts();
  console.log(`wrangler deploy --dry-run: ${accepted ? 'passes' : 'fails'}`);
  good &&= accepted;
  console.log(
    `first answer of an isolate in workerd: ${(await firstAnswerMs()).toFixed(0)} ms after the start of the process`,
  );

  const broken = await runStateChecks();
  console.log(
    `workerd with Durable Objects: ${stateChecks.length - broken.length} of ${stateChecks.length} checks hold`,
  );
  for (const each of broken) console.log(`  ${each}`);
  good &&= broken.length === 0;

  const missed = await runDocsChecks();
  console.log(`workerd with static assets: ${docsChecks.length - missed.length} of ${docsChecks.length} checks hold`);
  for (const each of missed) console.log(`  ${each}`);
  good &&= missed.length === 0;

  for (const runtime of runtimeNames) {
    const wrong = await runSentOnce(runtime);
    console.log(`${runtime}: a DELETE whose connection breaks is ${wrong.length === 0 ? 'sent once' : 'wrong'}`);
    for (const each of wrong) console.log(`  ${each}`);
    good &&= wrong.length === 0;
  }

  const faultDifferences: FaultDifference[] = [];
  for (const runtime of runtimeNames) {
    const { played, different, unsafe } = await runFaults(runtime);
    console.log(`${runtime}: ${played} faults, ${different.length} differences, ${unsafe.length} of them unsafe`);
    for (const each of unsafe) console.log(`  ${each}`);
    good &&= unsafe.length === 0;
    faultDifferences.push(...different);
  }
  if (!publishFaultDifferences(faultDifferences, update)) {
    console.log('runtimes/fault-differences.md is not what was found; run with --update and review the difference');
    good = false;
  }

  const deviations: Deviation[] = [];
  for (const runtime of runtimeNames) {
    const { played, found } = await playAll(runtime);
    const unexpected = found.filter(({ kind }) => kind === 'unexpected');
    console.log(`${runtime}: ${played} scenarios, ${found.length} deviations, ${unexpected.length} of them unexpected`);
    for (const { file, name, what } of unexpected) console.log(`  ${file}: ${name}: ${what}`);
    for (const { file, name } of missing(runtime, found)) console.log(`  ${file}: ${name}: no longer lenient`);
    if (unexpected.length > 0 || missing(runtime, found).length > 0) good = false;
    deviations.push(...found);
  }
  if (!publishDeviations(deviations, update)) {
    console.log('runtimes/deviations.md is not what was found; run with --update and review the difference');
    good = false;
  }
  return good;
}

function missing(runtime: RuntimeName, found: readonly Deviation[]): { file: string; name: string }[] {
  const listed = leniences.filter(({ runtimes }) => runtimes.includes(runtime));
  const names = listed.flatMap(({ file, cases }) => cases.map((name) => ({ file, name })));
  return names.filter(({ file, name }) => !found.some((each) => each.file === file && each.name === name));
}

async function playAll(runtime: RuntimeName): Promise<{ played: number; found: Deviation[] }> {
  const upstream = await startRecordingUpstream();
  const list = await servedProxies(upstream.url);
  const started = await startRuntime(runtime, list);
  const found: Deviation[] = [];
  let played = 0;
  for (const { port, identity, config } of list) {
    for (const story of readStories()) {
      if ((story.allowStopAll ?? false) !== config.allowStopAll) continue;
      for (const each of story.cases) {
        if (each.identity !== undefined && each.identity !== identity) continue;
        played++;
        const play = () => playCase(story, each, port, upstream, identity, looks[runtime]);
        let outcome = await play();
        const { kind } = judge(runtime, story.file, each.case, outcome.unsafe, outcome.byRuntime);
        if (outcome.unsafe.length > 0 && kind === 'unexpected') {
          // On a busy machine, what the case before sent can arrive during this one. So it is played once more, alone.
          console.log(`  played again: ${runtime}, ${story.file}: ${each.case}: ${outcome.unsafe.join('; ')}`);
          await setTimeout(500);
          upstream.forget();
          outcome = await play();
        }
        const { different, unsafe, byRuntime } = outcome;
        const what = [...unsafe, ...different].join('; ');
        if (what === '') continue;
        found.push({
          runtime,
          file: story.file,
          name: each.case,
          what,
          ...judge(runtime, story.file, each.case, unsafe, byRuntime),
        });
      }
    }
  }
  started.stop();
  await upstream.close();
  // The canaries: nothing that was sent is in what the process wrote.
  const leaked = [callersToken, ownToken, 'KMHXX00XXXX0'].filter((canary) => started.output().includes(canary));
  for (const what of leaked.map((canary) => `the output holds ${canary}`))
    found.push({ runtime, file: 'output', name: what, what, kind: 'unexpected', reason: '' });
  return { played, found };
}

function judge(
  runtime: RuntimeName,
  file: string,
  name: string,
  unsafe: readonly string[],
  byRuntime: boolean,
): Pick<Deviation, 'kind' | 'reason'> {
  const lenience = leniences.find(
    (each) => each.runtimes.includes(runtime) && each.file === file && each.cases.includes(name),
  );
  if (lenience !== undefined) return { kind: 'lenient', reason: lenience.reason };
  if (unsafe.length > 0 || runtime === 'node') return { kind: 'unexpected', reason: '' };
  return byRuntime ? { kind: 'refused by the runtime', reason: '' } : { kind: 'other words', reason: '' };
}

async function servedProxies(upstreamUrl: string): Promise<ServedProxy[]> {
  const list: ServedProxy[] = [];
  for (const identity of ['forward', 'static'] as const) {
    for (const allowStopAll of [false, true]) {
      const upstreamAuth =
        identity === 'static' ? ({ kind: identity, accessToken: ownToken } as const) : ({ kind: identity } as const);
      list.push({
        port: await freePort(),
        identity,
        config: { upstreamUrl, upstreamAuth, allowStopAll, validateResponses: 'off' },
      });
    }
  }
  return list;
}
