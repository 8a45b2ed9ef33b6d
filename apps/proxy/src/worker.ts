import { createProxy, errorResponse } from './app.js';
import { configFrom } from './config/proxy-config.js';
import { RequestLog } from './observability/request-log.js';
import { newRequestId } from './request/request-id.js';
import { proxyError } from './response/proxy-error.js';
import { pagesFromAssets } from './worker/bindings.js';
import {
  print,
  printLine,
  type WorkerContext,
  type WorkerEnvironment,
  workerSettings,
} from './worker/worker-environment.js';
import { workerParts } from './worker/worker-parts.js';

export { ProxyState } from './worker/proxy-state.js';
export type { WorkerContext, WorkerEnvironment } from './worker/worker-environment.js';

type Handler = (request: Request, context?: WorkerContext) => Response | Promise<Response>;

let handler: Handler | null = null;

/** The proxy on Cloudflare Workers: one for each isolate, made at the first request, because only then the settings are there. */
export default {
  fetch(request: Request, environment: WorkerEnvironment, context?: WorkerContext): Response | Promise<Response> {
    handler ??= startProxy(environment);
    return handler(request, context);
  },
};

function startProxy(environment: WorkerEnvironment): Handler {
  const reading = workerSettings(environment);
  if (!reading.ok) return rejectAll(reading.mistakes);
  const { settings } = reading;
  const mistakes: string[] = [];
  const parts = workerParts(settings, environment, mistakes);
  if (mistakes.length > 0) return rejectAll(mistakes);
  const level = settings.values.VDS_LOG_LEVEL;
  const app = createProxy(configFrom(settings), {
    ...parts,
    observer: new RequestLog(level, (_, fields) => printLine(fields)),
    pages: settings.values.VDS_DOCS ? pagesFromAssets(environment['ASSETS']) : undefined,
    onDrift(finding) {
      if (level !== 'silent') printLine({ drift: finding });
    },
  });
  return (request, context) =>
    app.fetch(request, context && { waitUntil: (work: Promise<unknown>) => context.waitUntil(work) });
}

/** Settings with a mistake start no proxy; the log says which. */
function rejectAll(mistakes: readonly string[]): Handler {
  for (const mistake of mistakes) print(`vds-proxy: ${mistake}`);
  return () => errorResponse(proxyError('internal-error'), newRequestId());
}
