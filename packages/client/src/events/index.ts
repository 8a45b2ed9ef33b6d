// Events of the proxy, signed by Standard Webhooks: https://www.standardwebhooks.com/
// Not exported: the bytes that are signed.
export { eventExamples, type VehicleEvent } from '../generated/events.js';
export { EventError, type EventErrorCode } from './event-error.js';
export { type SignedEvent, signEvent } from './sign-event.js';
export { type EventHeaders, type ReceivedEvent, type VerifyOptions, verifyEvent } from './verify-event.js';
