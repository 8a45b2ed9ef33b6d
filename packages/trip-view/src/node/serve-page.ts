import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type PageSource, tripPageHtml } from '../page-html.js';
import { listFolder, sendFile } from './archive-folder.js';

/** What `servePage` serves. */
export interface ServePageOptions {
  /** Title of the page. Default `Trips`. */
  readonly title?: string | undefined;
  /** Time zone that the page shows first. Default the reader's. */
  readonly zone?: string | undefined;
  /** Port on 127.0.0.1. Default any free one. */
  readonly port?: number | undefined;
  readonly source:
    | Extract<PageSource, { kind: 'embedded' }>
    /** A folder with Parquet files of trips, as `@vehicle-data/archive` writes it. */
    | { readonly kind: 'archive'; readonly folder: string }
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
 * @throws Error if the port is taken or the folder cannot be read.
 */
export async function servePage({ title = 'Trips', zone, port = 0, source }: ServePageOptions): Promise<ServedPage> {
  const base = `/${randomBytes(16).toString('base64url')}`;
  const files = source.kind === 'archive' ? await listFolder(source.folder) : [];
  const list = JSON.stringify(files.map(({ name, bytes, provisional }) => ({ name, bytes, provisional })));
  const page = tripPageHtml({ title, zone, base, source: pageSource(source) });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.url ?? '';
    // A page of another name that resolves to this machine must not read trips.
    if (!/^(127\.0\.0\.1|localhost)(:[0-9]+)?$/.test(request.headers.host ?? ''))
      return send(response, 421, 'text/plain', 'Open the page by its address on 127.0.0.1.');
    if (request.method !== 'GET') {
      response.setHeader('allow', 'GET');
      return send(response, 405, 'text/plain', 'Only GET is served.');
    }
    if (target === `${base}/` || target === base) return send(response, 200, 'text/html; charset=utf-8', page);
    if (!target.startsWith(`${base}/`))
      return send(response, 404, 'text/plain', 'Nothing is here. Open the full address.');
    const path = target.slice(base.length);
    if (source.kind === 'archive' && path === '/files') return send(response, 200, 'application/json', list);
    if (source.kind === 'api' && path.startsWith('/v')) return forward(source.fetch, path, request, response);
    const file = files[Number(/^\/files\/([0-9]{1,7})$/.exec(path)?.[1])];
    if (file !== undefined) return sendFile(file, request.headers.range, response);
    return send(response, 404, 'text/plain', 'Nothing is here.');
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else send(response, 500, 'text/plain', 'The request failed.');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
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

function pageSource(source: ServePageOptions['source']): PageSource {
  if (source.kind === 'api') return { kind: 'api', authenticated: true, brands: source.brands };
  return source.kind === 'archive' ? { kind: 'archive' } : source;
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

async function forward(
  fetchApi: (request: Request) => Promise<Response>,
  path: string,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const kept = requestHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  const signal = AbortSignal.timeout(deadlineMs);
  const upstream = await fetchApi(
    new Request(`http://127.0.0.1${path}`, { headers: Object.fromEntries(kept), signal }),
  );
  const type = upstream.headers.get('content-type') ?? 'application/json';
  response.writeHead(upstream.status, { ...safety, 'content-type': type });
  if (upstream.body === null) response.end();
  else await pipeline(upstream.body.values(), response);
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...safety, 'content-type': type }).end(body);
}
