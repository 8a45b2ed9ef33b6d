import { createProxy } from './create-proxy.js';
import type { CallRecord } from './observer.js';
import { pagesFromAssets } from './pages-from-assets.js';
import { refusal, refusalBody } from './refusal.js';
import { newRequestId } from './request-id.js';
import type { SettingName } from './settings/all-settings.js';
import { configFrom } from './settings/config-from-settings.js';
import { readSettings, type Settings } from './settings/read-settings.js';

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
  const unheeded = unheededSettings(settings);
  if (unheeded.length > 0) {
    for (const name of unheeded)
      print(`vds-proxy: ${name}: does not work on Workers; leave it out, or run the proxy on Node`);
    return refuseAll;
  }
  const level = settings.values.get('VDS_LOG_LEVEL');
  const call = (record: CallRecord) => {
    if (level === 'silent' || (level === 'error' && record.status < 500)) return;
    print(JSON.stringify(record));
  };
  const pages = pagesFromAssets(environment['ASSETS']);
  const proxy = createProxy(configFrom(settings), { observer: { call }, pages });
  return (request) => proxy.fetch(request);
}

/**
 * Settings that this file would have to leave unheeded, by name. A Worker does not start with them: a check of callers that is asked
 * for and not made would open the service to everyone.
 */
function unheededSettings({ values, byBrand }: Settings): readonly string[] {
  const set: readonly (readonly [SettingName, boolean])[] = [
    ['VDS_CLIENT_AUTH', values.get('VDS_CLIENT_AUTH') !== 'none'],
    [
      'VDS_UPSTREAM_AUTH',
      [values, ...byBrand.values()].some((each) => each.get('VDS_UPSTREAM_AUTH') === 'token-endpoint'),
    ],
    ['VDS_LIMIT_PER_CALLER', values.has('VDS_LIMIT_PER_CALLER')],
    ['VDS_LIMIT_PER_VEHICLE', values.has('VDS_LIMIT_PER_VEHICLE')],
    ['VDS_STORE', values.get('VDS_STORE') !== 'memory'],
    ['VDS_ADMIN_PORT', values.has('VDS_ADMIN_PORT')],
    ['VDS_TRACES', values.get('VDS_TRACES') === 'true'],
  ];
  return set.filter(([, isSet]) => isSet).map(([name]) => name);
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
