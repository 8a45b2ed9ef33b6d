/**
 * Why an event was rejected:
 *
 * - `missing-header`: no, or a malformed, `webhook-id`, `webhook-timestamp` or `webhook-signature`
 * - `too-old`, `too-new`: signed outside the tolerance, which keeps a recorded event from being sent again later
 * - `wrong-signature`: not signed with any of the secrets, or changed on the way
 * - `too-long`: a body of more than 64 kB
 * - `malformed-body`: signed, but no payload of an event
 */
export type EventErrorCode =
  | 'missing-header'
  | 'too-old'
  | 'too-new'
  | 'wrong-signature'
  | 'too-long'
  | 'malformed-body';

/** An event that must not be believed. Respond with 400. Its text holds nothing that was received. */
export class EventError extends Error {
  override readonly name = 'EventError';
  readonly code: EventErrorCode;

  /** @internal */
  constructor(code: EventErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
