import type { VehicleEvent } from '../generated/events.js';
import { keyOf, signatureOf } from './signature.js';

/** An event as it is sent: a POST with these headers and this body. */
export interface SignedEvent {
  readonly headers: {
    readonly 'content-type': 'application/json';
    readonly 'webhook-id': string;
    readonly 'webhook-timestamp': string;
    readonly 'webhook-signature': string;
  };
  readonly body: string;
}

/**
 * Signs an event as the proxy does, for tests of your receiver.
 *
 * @param event for example one of `eventExamples`
 * @param secret 24 to 64 random bytes in base64, with or without `whsec_` before it
 * @param options `id`: the identifier of the event (default: a new one); `nowMs`: when it is sent, in milliseconds since 1970 (default: now)
 * @throws {TypeError} when the secret has another form
 * @example
 * import { eventExamples, signEvent } from '@vehicle-data/client/events';
 *
 * const secret = `whsec_${btoa('a secret of 24 bytes ...')}`;
 * const { headers } = await signEvent(eventExamples['vehicle.consent_ended'], secret);
 * console.log(Object.keys(headers).length); // 4
 */
export async function signEvent(
  event: VehicleEvent,
  secret: string,
  options: { readonly id?: string; readonly nowMs?: number } = {},
): Promise<SignedEvent> {
  const { id = `evt_${crypto.randomUUID()}`, nowMs = Date.now() } = options;
  const timestamp = String(Math.floor(nowMs / 1000));
  const body = JSON.stringify(event);
  const signature = await signatureOf(await keyOf(secret), { id, timestamp, body: new TextEncoder().encode(body) });
  const signed = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return { headers: { 'content-type': 'application/json', ...signed }, body };
}
