import { ApiKeys } from '../auth/api-keys.js';
import { type Authentication, authUnavailable } from '../auth/client.js';
import { parseKeys } from '../auth/key-record.js';
import type { Warnings } from '../observability/warnings.js';
import type { IncomingRequest } from '../request/incoming-request.js';
import { contentTypeOf, type Pages } from '../response/pages.js';
import { sha256Hex } from '../sha256.js';
import type { StateNamespace } from './state-client.js';
import type { WorkerEnvironment } from './worker-environment.js';

/** Tells a kind of binding by its methods. */
function hasMethods<Binding>(...names: readonly (keyof Binding & string)[]) {
  return (value: unknown): value is Binding =>
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof Reflect.get(value, name) === 'function');
}

const isStateNamespace = hasMethods<StateNamespace>('idFromName', 'get');

/** The object that isolates share, where it is bound. */
export function stateIn(environment: WorkerEnvironment): StateNamespace | null {
  const binding = environment['VDS_STATE'];
  return isStateNamespace(binding) ? binding : null;
}

/** A binding that holds texts by name, such as a KV namespace. */
export interface TextNamespace {
  get(name: string): Promise<string | null>;
}

const isTextNamespace = hasMethods<TextNamespace>('get');

/** Where key files are, where that is bound. */
export function keysIn(environment: WorkerEnvironment): TextNamespace | null {
  const binding = environment['VDS_KEYS'];
  return isTextNamespace(binding) ? binding : null;
}

/** Age at which an isolate reads the keys again, in milliseconds: 28 seconds. */
const keepMs = 28_000;
/** Time for which a request waits for newer keys, in milliseconds: one second. */
const waitMs = 1000;
/** Pause before a binding that failed is tried again, in milliseconds: two seconds. */
const retryMs = 2000;

const brokenKeys =
  'VDS_KEYS_FILE: the entry cannot be read, or is not a key file; the keys known so far stay valid, and no revocation is seen';

/** API keys out of a binding that holds the text of a key file. Until one has been read, nobody can be authenticated. */
export class BoundKeys extends ApiKeys {
  readonly #namespace: TextNamespace;
  readonly #name: string;
  readonly #warnings: Warnings;
  #readAtMs = Number.NEGATIVE_INFINITY;
  /** When the read began whose keys are in use; `null` while none are known. */
  #usedMs: number | null = null;

  constructor(namespace: TextNamespace, name: string, warnings: Warnings, hashKey?: string) {
    super(sha256Hex, hashKey);
    this.#namespace = namespace;
    this.#name = name;
    this.#warnings = warnings;
  }

  override async authenticate(incoming: IncomingRequest): Promise<Authentication> {
    const ageMs = Date.now() - this.#readAtMs;
    if (ageMs >= keepMs) {
      const known = this.#usedMs !== null;
      // One request reads. The others wait as well when, by the end of that, their keys could be older than 30 seconds.
      if (known && ageMs < keepMs + waitMs) this.#readAgainIn(retryMs);
      const reading = this.#read();
      incoming.waitUntil?.(reading);
      const late = new Promise((resolve) => known && setTimeout(resolve, waitMs));
      await Promise.race([reading, late]);
      if (known && Date.now() - this.#readAtMs >= keepMs + waitMs) this.#warnings.raise('keys-file', brokenKeys);
      if (Date.now() - this.#readAtMs >= keepMs) this.#readAgainIn(retryMs);
    }
    return this.#usedMs === null ? authUnavailable : super.authenticate(incoming);
  }

  #readAgainIn(pauseMs: number): void {
    this.#readAtMs = Date.now() - keepMs + pauseMs;
  }

  /** Uses the keys as soon as they come. While the binding fails, or holds no key file, those known so far stay valid. */
  async #read(): Promise<void> {
    const startedMs = Date.now();
    const records = parseKeys((await this.#namespace.get(this.#name).catch(() => null)) ?? '');
    // A read that began before may end after.
    if (this.#usedMs !== null && startedMs < this.#usedMs) return;
    if (records === null) return this.#warnings.raise('keys-file', brokenKeys);
    this.use(records, this.#warnings);
    this.#usedMs = startedMs;
    this.#readAtMs = startedMs;
  }
}

/** The binding of a Worker to its static assets. https://developers.cloudflare.com/workers/static-assets/binding/ */
const isAssets = hasMethods<{ fetch(request: Request): Promise<Response> }>('fetch');

/** The docs site out of a Worker's static assets; `undefined` without such a binding. */
export function pagesFromAssets(assets: unknown): Pages | undefined {
  if (!isAssets(assets)) return undefined;
  // Assets have addresses without index.html and .html, and redirect the others:
  // https://developers.cloudflare.com/workers/static-assets/routing/advanced/html-handling/
  const fetchAsset = (path: string) =>
    assets.fetch(new Request(`https://assets/${path.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '')}`));
  return async (path) => {
    const found = await fetchAsset(path);
    await found.body?.cancel();
    if (found.status !== 200) return undefined;
    return {
      contentType: contentTypeOf(path),
      async gzip() {
        const { body } = await fetchAsset(path);
        if (body === null) throw new Error(`the assets have no ${path}`);
        return new Uint8Array(await new Response(body.pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
      },
    };
  };
}
