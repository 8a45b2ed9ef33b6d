import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type PageSource, tripPageHtml } from '../page-html.js';
import { ArchiveFolder, type Reply } from './archive-folder.js';

/** What `servePage` serves. */
export interface ServePageOptions {
  /** Time zone that the page shows first. Default the reader's. */
  readonly zone?: string | undefined;
  /** A folder with Parquet files of trips, as `@vehicle-data/archive` writes it, or the API. */
  readonly source:
    | {
        readonly kind: 'archive';
        readonly folder: string;
        /** What vehicles are called, by their pseudonyms. Default the beginning of the pseudonym. */
        readonly names?: Readonly<Record<string, string>> | undefined;
      }
    /** The API, by a function that adds the access token. Only `GET` requests reach it. */
    | {
        readonly kind: 'api';
        readonly fetch: (request: Request) => Promise<Response>;
        readonly brands?: readonly string[] | undefined;
      };
}

/** A page that is served. */
export interface ServedPage {
  /** Address to open in a browser. It holds a random part, so that other users of the machine cannot guess it. */
  readonly url: string;
  /** Stops serving and ends open connections. */
  readonly close: () => Promise<void>;
}

/**
 * Serves the trip explorer on the loopback interface: the page, and the trips that it asks for.
 *
 * @throws Error if the folder cannot be read.
 */
export async function servePage({ zone, source }: ServePageOptions): Promise<ServedPage> {
  const base = `/${randomBytes(16).toString('base64url')}`;
  const folder = source.kind === 'archive' ? new ArchiveFolder(source.folder) : undefined;
  // A folder that cannot be read is an error now, not one on the page.
  await folder?.list();

  async function respond(request: IncomingMessage): Promise<Reply> {
    const { method, url = '', headers } = request;
    // A page of another name that resolves to this machine must not read trips.
    if (!/^(127\.0\.0\.1|localhost)(:[0-9]+)?$/.test(headers.host ?? ''))
      return text(421, 'Open the page by its address on 127.0.0.1.');
    if (method !== 'GET') return text(405, 'Only GET is served.', { allow: 'GET' });
    if (url === `${base}/` || url === base) {
      const pageSource: PageSource =
        source.kind === 'api'
          ? { kind: 'api', brands: source.brands }
          : { kind: 'archive', files: [], ...(await folder?.list()), names: source.names };
      const page = tripPageHtml({ title: 'Trips', zone, base, source: pageSource });
      return text(200, page, { 'content-type': 'text/html; charset=utf-8' });
    }
    const path = url.startsWith(`${base}/`) ? url.slice(base.length) : '';
    if (source.kind === 'api' && path.startsWith('/v')) return forward(source.fetch, path, request);
    const id = Number(/^\/files\/([0-9]{1,7})$/.exec(path)?.[1]);
    return (await folder?.reply(id, headers.range)) ?? text(404, 'Nothing is here. Open the full address.');
  }

  const server = createServer(async (request, response) => {
    try {
      const { status, headers, body } = await respond(request);
      await pipeline(body, response.writeHead(status, { ...safety, ...headers }));
    } catch {
      if (response.headersSent) response.destroy();
      else response.writeHead(500, safety).end('The request failed.');
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}${base}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const deadlineMs = 120_000;
const requestHeaders = ['accept', 'brand'];
const safety = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

function text(status: number, body: string, headers: Reply['headers'] = {}): Reply {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body: [body] };
}

async function forward(
  fetchApi: (request: Request) => Promise<Response>,
  path: string,
  { headers }: IncomingMessage,
): Promise<Reply> {
  const kept = requestHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  const signal = AbortSignal.timeout(deadlineMs);
  const upstream = await fetchApi(
    new Request(`http://127.0.0.1${path}`, { headers: Object.fromEntries(kept), signal }),
  );
  const type = upstream.headers.get('content-type') ?? 'application/json';
  return { status: upstream.status, headers: { 'content-type': type }, body: upstream.body?.values() ?? [] };
}
