// What the collector is to receive: events of the proxy, and callbacks of the service. Both are off without their secret.
import { eventExamples, signEvent } from '@vehicle-data/client/events';
import { UsageError } from '../usage-error.js';
import type { Given } from './options.js';

/** Secrets of those who may say that consent has changed. */
export interface SignalSettings {
  /** Secrets of events; while one is replaced, the new and the old one. Empty: no events are received. */
  readonly eventSecrets: readonly string[];
  /** Secret of the callback of the service; `undefined`: there is none. */
  readonly callbackSecret: string | undefined;
}

/** @throws UsageError whose message does not repeat a secret */
export async function readSignalSettings(given: Given): Promise<SignalSettings> {
  const { VDS_EVENTS_SECRET: events, VDS_CALLBACK_SECRET: callbackSecret, VDS_PORT: port } = given.settings();
  if ((events ?? callbackSecret) !== undefined && port === undefined)
    throw new UsageError(
      '--port is missing: VDS_EVENTS_SECRET and VDS_CALLBACK_SECRET are for requests that come there',
    );
  const eventSecrets = events?.split(',') ?? [];
  for (const one of eventSecrets)
    await signEvent(eventExamples['vehicle.consent_ended'], one).catch(() => {
      throw new UsageError('VDS_EVENTS_SECRET: must be that of the proxy');
    });
  return { eventSecrets, callbackSecret };
}
