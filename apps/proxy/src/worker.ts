import { lineOf, logLevelOf, wantsLine } from './log-line.js';
import { makeProxy } from './make-proxy.js';
import { type Observer, observeTogether } from './observer.js';
import { pagesFromAssets } from './pages-from-assets.js';
import { refusal, refusalBody } from './refusal.js';
import { newRequestId } from './request-id.js';
import { configFrom } from './settings/config-from-settings.js';
import { ObjectHints } from './worker/object-hints.js';
import { print } from './worker/print.js';
import { type WorkerEnvironment, workerSettings } from './worker/worker-environment.js';
import { workerParts } from './worker/worker-parts.js';

export { ProxyState } from './worker/proxy-state.js';
export type { WorkerEnvironment } from './worker/worker-environment.js';

/** The part of a request's context that is used here. */
interface RequestContext {
  /** Lets the platform finish something after the answer. */
  waitUntil(promise: Promise<unknown>): void;
}

type Answer = (request: Request, context: RequestContext) => Response | Promise<Response>;

let answer: Answer | null = null;

/** The proxy on Cloudflare Workers: one for each isolate, made at the first request, because only then the settings are there. */
export default {
  fetch(request: Request, environment: WorkerEnvironment, context: RequestContext): Response | Promise<Response> {
    answer ??= startProxy(environment);
    return answer(request, context);
  },
};

function startProxy(environment: WorkerEnvironment): Answer {
  const reading = workerSettings(environment);
  if (!reading.ok) return refuseAll(reading.mistakes);
  const { settings } = reading;
  const made = workerParts(settings, environment);
  if (!made.ok) return refuseAll(made.mistakes);
  const { parts, state, observers } = made;
  const level = logLevelOf(settings.values.get('VDS_LOG_LEVEL'));
  const log: Observer = {
    call(record) {
      if (wantsLine(level, record)) print(lineOf(record, level === 'debug'));
    },
  };
  const { core, app } = makeProxy(configFrom(settings), {
    ...parts,
    observer: observeTogether([log, ...observers]),
    pages: pagesFromAssets(environment['ASSETS']),
    onDrift(finding) {
      if (level !== 'silent') print(JSON.stringify({ time: new Date().toISOString(), drift: finding }));
    },
  });
  if (state === null) return (request) => app.fetch(request);
  const hints = new ObjectHints(core.forwarder.breaker, state);
  return async (request, context) => {
    const response = await app.fetch(request);
    const exchange = hints.exchange();
    if (exchange !== null) context.waitUntil(exchange);
    return response;
  };
}

/** Settings with a mistake start no proxy; the log says which. */
function refuseAll(mistakes: readonly string[]): Answer {
  for (const mistake of mistakes) print(`vds-proxy: ${mistake}`);
  return () => {
    const refused = refusal('internal-error');
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    return new Response(refusalBody(refused, newRequestId()), { status: refused.status, headers });
  };
}
