import { createProxy } from './create-proxy.js';
import type { CallRecord } from './observer.js';
import { refusal, refusalBody } from './refusal.js';
import { newRequestId } from './request-id.js';
import { configFrom } from './settings/config-from-settings.js';
import { readSettings } from './settings/read-settings.js';

/** Variables and secrets of the Worker, by the names that the program has in its environment. */
export type WorkerEnvironment = Readonly<Record<string, unknown>>;

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
  const texts = Object.entries(environment).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const reading = readSettings({
    // A Worker can be reached by everyone, unless the settings say that this one listens on this machine alone.
    environment: { VDS_HOST: '0.0.0.0', ...Object.fromEntries(texts) },
    arguments: [],
    readFile() {
      throw new Error('a Worker has no files');
    },
  });
  if (!reading.ok) {
    for (const mistake of reading.mistakes) print(`vds-proxy: ${mistake}`);
    return refuseAll;
  }
  const { settings } = reading;
  const level = settings.values.get('VDS_LOG_LEVEL');
  const call = (record: CallRecord) => {
    if (level === 'silent' || (level === 'error' && record.status < 500)) return;
    print(JSON.stringify(record));
  };
  const proxy = createProxy(configFrom(settings), { observer: { call } });
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
