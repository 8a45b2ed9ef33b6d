import type { VehicleEvent } from '../generated/events.js';
import { EventError } from './event-error.js';
import { isSignature, keyOf } from './signature.js';

/** Headers as `Headers` has them, or as the `headers` of Node's requests, whose names are lower-case. */
export type EventHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A verified event. `id` stays the same when an event is sent again: keep the ones of the last days, and do nothing for one that you know.
 */
export type ReceivedEvent = VehicleEvent & { readonly id: string };

/** Options of {@link verifyEvent}. */
export interface VerifyOptions {
  /** How far the time of sending may be from now, in seconds. Default 300 (five minutes). */
  readonly toleranceSeconds?: number;
  /** The time now, in milliseconds since 1970. Default: the clock. */
  readonly nowMs?: number;
}

const maxBodyBytes = 65_536;
/** Signatures of one event that are looked at: the secret of a sender and the one before it need two. */
const maxSignatures = 8;

/**
 * Verifies an event of the proxy by the Standard Webhooks specification, and returns it.
 *
 * @param received a `Request`, whose body is read; or headers and the body exactly as it came, before any JSON parser
 * @param secrets the secret of the sender; while you replace it, the new and the old one
 * @throws {EventError} when the event must not be believed; `code` says why
 * @throws {TypeError} when a secret has another form
 * @example
 * import { eventExamples, signEvent, verifyEvent } from '@vehicle-data/client/events';
 *
 * const secret = `whsec_${btoa('a secret of 24 bytes ...')}`;
 * const event = await verifyEvent(await signEvent(eventExamples['vehicle.consent_ended'], secret), secret);
 * console.log(event.type); // vehicle.consent_ended
 */
export async function verifyEvent(
  received: Request | { readonly headers: EventHeaders; readonly body: string | Uint8Array },
  secrets: string | readonly string[],
  { toleranceSeconds = 300, nowMs = Date.now() }: VerifyOptions = {},
): Promise<ReceivedEvent> {
  const keys = await Promise.all([secrets].flat().map(keyOf));
  const header = headerReader(received.headers);
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature').split(' ').slice(0, maxSignatures);
  if (!/^[0-9]{1,12}$/.test(timestamp)) throw new EventError('missing-header', 'webhook-timestamp is no time');
  const ageSeconds = nowMs / 1000 - Number(timestamp);
  if (ageSeconds > toleranceSeconds) throw new EventError('too-old', 'the event was signed too long ago');
  if (ageSeconds < -toleranceSeconds)
    throw new EventError('too-new', 'the event was signed in the future; check the clock');
  const signed = { id, timestamp, body: await bodyOf(received) };
  const checks = keys.flatMap((key) => signatures.map((signature) => isSignature(key, signature, signed)));
  if (!(await Promise.all(checks)).includes(true))
    throw new EventError('wrong-signature', 'no signature of the event is of a known secret');
  return { id, ...eventIn(signed.body) };
}

function headerReader(headers: EventHeaders): (name: string) => string {
  return (name) => {
    const value = hasGet(headers) ? headers.get(name) : headers[name];
    if (typeof value !== 'string' || value === '' || value.length > 1024)
      throw new EventError('missing-header', `${name} is missing, or too long`);
    return value;
  };
}

const hasGet = (headers: EventHeaders): headers is Pick<Headers, 'get'> => typeof headers.get === 'function';

async function bodyOf({ body }: Pick<Request, 'body'> | { readonly body: string | Uint8Array }): Promise<Uint8Array> {
  if (typeof body === 'string') return bounded(new TextEncoder().encode(body));
  if (body instanceof Uint8Array) return bounded(body);
  let read = new Uint8Array(0);
  const reader = body?.getReader();
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    const longer = new Uint8Array(read.length + piece.value.length);
    longer.set(read);
    longer.set(piece.value, read.length);
    read = longer;
    if (read.length > maxBodyBytes) await reader?.cancel();
    bounded(read);
  }
  return read;
}

function bounded(bytes: Uint8Array): Uint8Array {
  if (bytes.length > maxBodyBytes) throw new EventError('too-long', 'the body of an event has at most 64 kB');
  return bytes;
}

/** The payload. Its sender is known by now, so that only its outline is looked at; an event of a later version may have another type. */
function eventIn(bytes: Uint8Array): VehicleEvent {
  const malformed = () => new EventError('malformed-body', 'the body is signed, but no event');
  let event: Partial<VehicleEvent> | null;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw malformed();
  }
  if (typeof event?.type !== 'string' || typeof event.data !== 'object' || event.data === null) throw malformed();
  return event as VehicleEvent;
}
