// POST /events and POST /callbacks/consent. Whatever comes, the most that follows is that lists are fetched.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { EventError, type ReceivedEvent, verifyEvent } from '@vehicle-data/client/events';
import type { SignalSettings } from '../config/signal-settings.js';
import { bodyOf } from './bounded-body.js';
import type { RequestLooks } from './request-looks.js';

/** What came of requests, by their kind: `events rejected` and so on. */
export type SignalCounts = Map<string, number>;

/** Receives what is said about consents. */
export interface SignalReceiver {
  readonly counts: SignalCounts;
  /** Takes a request, unless it is for somebody else: `false`. Never rejects. */
  take(request: IncomingMessage, response: ServerResponse): boolean;
}

interface ReceiverOptions {
  readonly settings: SignalSettings;
  readonly looks: RequestLooks;
  readonly pseudonymOf: (vin: string) => string;
  /** Milliseconds of a clock that never goes back. Default: that of the process. */
  readonly now?: () => number;
}

/** Requests at a time. With one more, the oldest is broken off: who is slow keeps nobody out. */
const mostAtOnce = 64;
/** Time for a request, in milliseconds. */
const requestMs = 10_000;
/** Good ones a second that reach the ledger, and how many may come at once. The proxy sends the others again. */
const [mostASecond, mostInABurst] = [200, 1000];
/** For so long a client that is rejected may go on sending before it is broken off, in milliseconds: it reads the response meanwhile. */
const lingerMs = 1000;

const paths = { events: '/events', callback: '/callbacks/consent' } as const;
type Kind = keyof typeof paths;

/** What a request comes to: how it is counted, the status, and a line for whoever reads the response. */
type Outcome = readonly ['looked' | 'nothing' | 'rejected' | 'limited' | 'failed', status: number, line?: string];

const wrongSecret: Outcome = ['rejected', 401, 'wrong-secret'];
const tooLong: Outcome = ['rejected', 413, 'too-long'];
const tooMany: Outcome = ['limited', 429, 'too-many'];

export function signalReceiver({ settings, looks, pseudonymOf, now }: ReceiverOptions): SignalReceiver {
  const isOverRate = rateLimit(now ?? (() => performance.now()));
  const counts: SignalCounts = new Map();
  const underWay = new Set<IncomingMessage>();
  const isOn = { events: settings.eventSecrets.length > 0, callback: settings.callbackSecret !== undefined };
  const callbackDigest = settings.callbackSecret === undefined ? undefined : digestOf(settings.callbackSecret);

  /** In a time that says nothing of how much of it was right. */
  const isCallbackSecret = (given: string) =>
    callbackDigest !== undefined && timingSafeEqual(digestOf(given), callbackDigest);

  async function receiveEvent(request: IncomingMessage): Promise<Outcome> {
    const body = await bodyOf(request);
    if (body === undefined) return tooLong;
    let event: ReceivedEvent;
    try {
      event = await verifyEvent({ headers: request.headers, body }, settings.eventSecrets);
    } catch (error) {
      if (error instanceof EventError) return ['rejected', 400, error.code];
      throw error;
    }
    if (event.type !== 'vehicle.consent_withdrawn' && event.type !== 'vehicle.consent_ended') return ['nothing', 204];
    if (isOverRate()) return tooMany;
    const signal = event.type === 'vehicle.consent_withdrawn' ? 'withdrawal' : 'error';
    const { brand, vin } = event.data;
    if (typeof brand !== 'string') return ['nothing', 204];
    const isKnown =
      typeof vin === 'string'
        ? await looks.ofVehicle(brand, pseudonymOf(vin), signal)
        : await looks.ofBrand(brand, signal);
    return [isKnown ? 'looked' : 'nothing', 204];
  }

  async function receiveCallback(request: IncomingMessage, given: string): Promise<Outcome> {
    if (!isCallbackSecret(given)) return wrongSecret;
    // Its form is that of the deployment: nothing in it is believed.
    if ((await bodyOf(request)) === undefined) return tooLong;
    if (isOverRate()) return tooMany;
    return [(await looks.ofAll('callback')) ? 'looked' : 'nothing', 204];
  }

  async function handle(kind: Kind, secret: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    underWay.add(request);
    const [oldest] = underWay;
    if (underWay.size > mostAtOnce) oldest?.destroy();
    const deadline = setTimeout(() => request.destroy(), requestMs);
    const receive = async () =>
      kind === 'events' ? await receiveEvent(request) : await receiveCallback(request, secret);
    // The ledger cannot be read: the proxy sends the event again.
    const [outcome, status, line] = await receive().catch((): Outcome => ['failed', 503, 'try-again']);
    clearTimeout(deadline);
    underWay.delete(request);
    const name = `${kind} ${outcome}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (request.destroyed && !request.complete) return;
    respond(response, status, line);
  }

  return {
    counts,
    take(request, response) {
      const [pathname = ''] = (request.url ?? '').split('?');
      const kind: Kind | undefined =
        pathname === paths.events
          ? 'events'
          : pathname === paths.callback || pathname.startsWith(`${paths.callback}/`)
            ? 'callback'
            : undefined;
      if (kind === undefined || !isOn[kind]) return false;
      if (request.method !== 'POST') respond(response.setHeader('allow', 'POST'), 405, 'use POST');
      else void handle(kind, secretOf(request, pathname), request, response);
      return true;
    },
  };
}

/** The last part of the path, or else what `Authorization` has. */
function secretOf({ headers }: IncomingMessage, pathname: string): string {
  const inPath = pathname.slice(paths.callback.length + 1);
  return inPath || (/^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '');
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();

function respond(response: ServerResponse, status: number, line: string | undefined): void {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  // Whoever is rejected keeps no connection.
  const more = status === 429 ? { ...headers, 'retry-after': '1' } : headers;
  response.writeHead(status, status < 300 ? {} : { ...more, connection: 'close' });
  response.end(line && `${line}\n`);
  const request = response.req;
  if (status < 400) return;
  if (request.complete) return void response.once('finish', () => request.destroy());
  // What still comes of its body is thrown away: broken off at once, many clients lose the response.
  request.resume();
  const end = setTimeout(() => request.destroy(), lingerMs);
  request.once('end', () => response.once('finish', () => request.destroy())).once('close', () => clearTimeout(end));
}

/** A bucket of tokens. Says whether one more is too many. */
function rateLimit(now: () => number): () => boolean {
  let [tokens, filledAt] = [mostInABurst, now()];
  return () => {
    const at = now();
    tokens = Math.min(mostInABurst, tokens + ((at - filledAt) * mostASecond) / 1000);
    filledAt = at;
    if (tokens < 1) return true;
    tokens -= 1;
    return false;
  };
}
