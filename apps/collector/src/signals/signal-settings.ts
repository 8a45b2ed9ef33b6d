// What the collector is to receive: events of the proxy, and callbacks of the service. Both are off without their secret.
import { eventExamples, signEvent } from '@vehicle-data/client/events';
import { type Environment, secret, UsageError } from '../command/options.js';

/** Secrets of those who may say that consent has changed. */
export interface SignalSettings {
  /** Secrets of events; while one is replaced, the new and the old one. Empty: no events are received. */
  readonly eventSecrets: readonly string[];
  /** Secret of the callback of the service; `undefined`: there is none. */
  readonly callbackSecret: string | undefined;
}

/** @throws UsageError whose message does not repeat a secret */
export async function readSignalSettings(env: Environment, port: number | undefined): Promise<SignalSettings> {
  const events = secret(env, 'VDS_EVENTS_SECRET');
  const callbackSecret = secret(env, 'VDS_CALLBACK_SECRET');
  if ((events ?? callbackSecret) !== undefined && port === undefined)
    throw new UsageError(
      '--port is missing: VDS_EVENTS_SECRET and VDS_CALLBACK_SECRET are for requests that come there',
    );
  // It may be part of a path.
  if (callbackSecret !== undefined && !/^[\w-]{32,128}$/.test(callbackSecret))
    throw new UsageError(
      'VDS_CALLBACK_SECRET must have 32 to 128 letters, digits, - and _; make one with: openssl rand -hex 32',
    );
  const eventSecrets = events?.split(',') ?? [];
  for (const one of eventSecrets)
    await signEvent(eventExamples['vehicle.consent_ended'], one).catch(() => {
      throw new UsageError(
        'VDS_EVENTS_SECRET must be that of the proxy: 24 to 64 random bytes in base64, with or without whsec_; two are separated by a comma',
      );
    });
  return { eventSecrets, callbackSecret };
}
