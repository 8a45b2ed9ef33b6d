import { createProxy } from './create-proxy.js';
import type { CallRecord } from './observer.js';
import { pagesFromAssets } from './pages-from-assets.js';
import { refusal, refusalBody } from './refusal.js';
import { newRequestId } from './request-id.js';
import { configFrom } from './settings/config-from-settings.js';
import { type WorkerEnvironment, workerSettings } from './worker/worker-environment.js';
import { workerParts } from './worker/worker-parts.js';

export { ProxyState } from './worker/proxy-state.js';
export type { WorkerEnvironment } from './worker/worker-environment.js';

type Answer = (request: Request) => Response | Promise<Response>;

let answer: Answer | null = null;

/** The proxy on Cloudflare Workers: one for each isolate, made at the first request, because only then the settings are there. */
export default {
  fetch(request: Request, environment: WorkerEnvironment): Response | Promise<Response> {
    answer ??= startProxy(environment);
    return answer(request);
  },
};

function startProxy(environment: WorkerEnvironment): Answer {
  const reading = workerSettings(environment);
  if (!reading.ok) {
    for (const mistake of reading.mistakes) print(`vds-proxy: ${mistake}`);
    return refuseAll;
  }
  const { settings } = reading;
  const made = workerParts(settings, environment);
  if (!made.ok) {
    for (const mistake of made.mistakes) print(`vds-proxy: ${mistake}`);
    return refuseAll;
  }
  const level = settings.values.get('VDS_LOG_LEVEL');
  const call = (record: CallRecord) => {
    if (level === 'silent' || (level === 'error' && record.status < 500)) return;
    print(JSON.stringify(record));
  };
  const pages = pagesFromAssets(environment['ASSETS']);
  const proxy = createProxy(configFrom(settings), { ...made.parts, observer: { call }, pages });
  return (request) => proxy.fetch(request);
}

/** Settings with a mistake start no proxy; the log says which. */
function refuseAll(): Response {
  const refused = refusal('internal-error');
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(refusalBody(refused, newRequestId()), { status: refused.status, headers });
}

function print(line: string): void {
  // biome-ignore lint/suspicious/noConsole: the console is a Worker's log
  console.log(line);
}
