// Events of the proxy on this machine, for the development of a receiver: `vds listen` and `vds trigger`.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventError, eventExamples, signEvent, type VehicleEvent, verifyEvent } from '@vehicle-data/client/events';
import { CliError, usageError } from '../cli-error.js';
import type { Context } from '../context.js';

/** The events that can be sent. */
const eventTypes = Object.keys(eventExamples);
const maxBodyBytes = 65_536;
const deadlineMs = 15_000;
const eventHeaders = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** The secrets of the environment, as the proxy takes them. */
const secretsIn = ({ streams }: Context) => (streams.env['VDS_EVENTS_SECRET'] ?? '').split(',').filter(Boolean);

/** Receives the events of a proxy, prints each, and forwards it. Stays until Ctrl-C. */
export async function listen(
  context: Context,
  { eventsPort, forwardTo }: { readonly eventsPort: string; readonly forwardTo?: string },
): Promise<void> {
  const { output, signal } = context;
  if (!/^\d{1,5}$/.test(eventsPort) || Number(eventsPort) > 65_535) throw usageError('--events-port must be a port');
  const target = forwardTo === undefined ? null : localAddress(forwardTo, '--forward-to');
  const given = secretsIn(context);
  const secrets = given.length > 0 ? given : [newSecret()];
  await checkSecrets(secrets);
  const server = createServer({ requestTimeout: deadlineMs }, (request, response) => {
    receive(context, request, response, secrets, target).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => reject(new CliError('port-taken', '--events-port cannot be listened on')));
    server.listen(Number(eventsPort), '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const own = [
    `VDS_EVENTS_URL=http://127.0.0.1:${port}/`,
    given.length > 0 ? 'the secret is that of VDS_EVENTS_SECRET' : `VDS_EVENTS_SECRET=${secrets[0]}`,
  ];
  // For people and for scripts alike: the events alone are on standard output.
  context.streams.stderr.write(`Waiting for events. Start the proxy with:\n${own.join('\n')}\n`);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  server.close().closeAllConnections();
  output.note('no longer listening');
}

async function receive(
  { output }: Context,
  request: IncomingMessage,
  response: ServerResponse,
  secrets: readonly string[],
  target: string | null,
): Promise<void> {
  const body = await bodyOf(request);
  if (body === null) return void response.writeHead(413).end();
  try {
    const { id, ...event } = await verifyEvent({ headers: request.headers, body }, secrets);
    const status = target === null ? 204 : await forward(target, request, body);
    response.writeHead(status).end();
    const shown = { time: new Date().toISOString(), id, status, event: masked(event) };
    output.record(shown, () => [`${status} ${event.type} ${id} ${JSON.stringify(shown.event.data)}`]);
  } catch (error) {
    if (!(error instanceof EventError)) throw error;
    response.writeHead(400).end();
    output.note(`rejected: ${error.message}`);
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > maxBodyBytes) return null;
  }
  return Buffer.concat(pieces);
}

/** Sends an event on as it came. Returns the status of the receiver; 502 when it does not respond. */
async function forward(target: string, { headers }: IncomingMessage, body: Buffer): Promise<number> {
  const sent = Object.fromEntries(eventHeaders.map((name) => [name, String(headers[name] ?? '')]));
  return (await post(target, sent, new Uint8Array(body))) ?? 502;
}

async function post(target: string, headers: Record<string, string>, body: BodyInit): Promise<number | null> {
  try {
    const signal = AbortSignal.timeout(deadlineMs);
    const response = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}

/** Signs an example of an event and sends it to a receiver on this machine. */
export async function trigger(
  context: Context,
  { eventsUrl }: { readonly eventsUrl: string },
  type = '',
): Promise<void> {
  const example = Object.values<VehicleEvent>(eventExamples).find((one) => one.type === type);
  if (example === undefined) throw usageError('there is no event of that type', `One of: ${eventTypes.join(', ')}`);
  const target = localAddress(eventsUrl, '--events-url');
  const secrets = secretsIn(context);
  const [secret] = secrets;
  if (secret === undefined)
    throw usageError(
      'VDS_EVENTS_SECRET is not set',
      'Set it to the secret of the receiver, or to what vds listen prints',
    );
  await checkSecrets(secrets);
  const event = { ...example, timestamp: new Date().toISOString() };
  const { headers, body } = await signEvent(event, secret);
  const status = await post(target, { ...headers }, body);
  if (status === null) throw new CliError('no-receiver', 'the receiver does not respond');
  const id = headers['webhook-id'];
  context.output.record({ id, status, event: masked(event) }, () => [`${status} ${type} ${id}`]);
  if (status < 200 || status > 299)
    throw new CliError(
      'not-received',
      `the receiver responded with ${status}, so the proxy would send the event again`,
    );
}

/** An address of this machine: what is for development goes nowhere else. */
function localAddress(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url !== null && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url === null || !/^https?:$/.test(url.protocol) || !isLocal)
    throw usageError(`${option} must be an address of this machine, such as http://127.0.0.1:3000/hook`);
  return url.href;
}

async function checkSecrets(secrets: readonly string[]): Promise<void> {
  const signed = secrets.map((secret) => signEvent(eventExamples['vehicle.consent_ended'], secret));
  await Promise.all(signed).catch(() => {
    throw usageError('VDS_EVENTS_SECRET must be 24 to 64 random bytes in base64, with or without whsec_ before it');
  });
}

function newSecret(): string {
  return `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
}

/** An event whose VIN shows its last four characters alone. */
function masked<Event extends VehicleEvent>(event: Event): Event {
  const { vin } = event.data;
  return vin === undefined ? event : { ...event, data: { ...event.data, vin: `*************${vin.slice(-4)}` } };
}
