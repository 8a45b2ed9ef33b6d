import { createAccessTokens } from './access-token.js';
import { type AgedAnswer, type Answer, ApiCall } from './api-call.js';
import type { ReadAnswer, Settings } from './call.js';
import type { CallOptions } from './call-options.js';
import { checkArguments, readMembers } from './check-arguments.js';
import { argumentError, typedError } from './client-error.js';
import type { VehicleDataClientOptions } from './client-options.js';
import { systemClock } from './clock.js';
import type { OperationMethods, TripIterators } from './generated/methods.js';
import { operations } from './generated/operations.js';
import type { Operation } from './operation.js';
import { createPerform } from './perform.js';
import { createRawClient, type RawClient } from './raw-client.js';
import { iterateTrips } from './trips/iterate-trips.js';
import type { TripIteratorOptions } from './trips/trip-iterator.js';

/** A client of the vehicle data service. */
export interface VehicleDataClient extends OperationMethods {
  /** The result style of openapi-fetch, with the same checks, retries and deadline. */
  readonly raw: RawClient;
  /** Iterators over the trips of any range of days. */
  readonly trips: TripIterators;
}

/**
 * Makes a client of the vehicle data service.
 *
 * @example
 * const client = createVehicleDataClient({ baseUrl: 'http://127.0.0.1:8787', brand: 'brand_a', accessToken });
 * const { vehicles } = await client.listVehicles();
 * @throws ArgumentError when the options cannot work.
 */
export function createVehicleDataClient(options: VehicleDataClientOptions): VehicleDataClient {
  const settings = readOptions(options);
  const perform = createPerform(settings);
  const methods: Record<string, unknown> = {};
  const trips: Record<string, unknown> = {};
  for (const operation of operations) {
    const call = (given: unknown, options: CallOptions | null | undefined, wide?: boolean) => {
      const start = async () => {
        const callOptions = options ?? {};
        if (wide) confirm(operation, given, callOptions.brand ?? settings.brand);
        const read = await perform(operation, checkArguments(operation, wide ? {} : given, wide), callOptions);
        return answerOf(operation, read, settings);
      };
      return new ApiCall(
        start().catch((error: unknown) => {
          throw typedError(error);
        }),
      );
    };
    const { id, wide = [undefined, id, ''], series, parameters } = operation;
    methods[wide[1]] = Object.keys(parameters).length
      ? (given: unknown, callOptions?: CallOptions) => call(given, callOptions)
      : (callOptions?: CallOptions) => call({}, callOptions);
    if (wide[2]) methods[wide[2]] = (given: unknown, callOptions?: CallOptions) => call(given, callOptions, true);
    if (series) {
      trips[series[0]] = (range: unknown, iteratorOptions?: TripIteratorOptions | null) => {
        try {
          return iterateTrips(operation, range, iteratorOptions ?? {}, perform, settings);
        } catch (error) {
          throw typedError(error);
        }
      };
    }
  }
  // The methods are built from the table, their types are generated from the same contract.
  return { ...methods, raw: createRawClient(perform), trips } as unknown as VehicleDataClient;
}

function confirm(operation: Operation, given: unknown, brand: string | undefined): void {
  const { brand: repeated, ...others } = readMembers(given) ?? {};
  if (brand === undefined || repeated !== brand || Object.keys(others).length) {
    throw argumentError(operation, 'the brand in effect, and nothing else, must be repeated');
  }
}

function answerOf({ measuredAt }: Operation, { data, meta, response, requestId }: ReadAnswer, { clock }: Settings) {
  const { status, headers } = response;
  const answer: Answer<unknown> = { data, meta, status, headers, requestId };
  if (!measuredAt) return answer;
  // The service's own clock where it gives its time: the two clocks may differ.
  const ageMs = (Date.parse(`${meta.timestamp}`) || clock.now()) - Date.parse(`${data[measuredAt]}`);
  return { ...answer, dataAgeMs: Number.isNaN(ageMs) ? null : Math.max(0, ageMs) } satisfies AgedAnswer<unknown>;
}

function readOptions(options: VehicleDataClientOptions): Settings {
  const baseUrl = String(options?.baseUrl).replace(/\/+$/, '');
  if (!/^https?:\/\/[^\s?#@]+$/.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw argumentError(undefined, 'baseUrl must be an http address without user, query and fragment');
  }
  // Looked up at each call, so that an instrumented fetch is found, and called without a receiver.
  const { fetch = (request, init) => globalThis.fetch(request, init), clock = systemClock } = options;
  return {
    ...options,
    baseUrl,
    docsUrl: options.docsUrl ?? `${baseUrl}/docs`,
    tokens: createAccessTokens(options.accessToken),
    fetch,
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 2,
    maxRetryDelayMs: options.maxRetryDelayMs ?? 20_000,
    maxAnswerBytes: options.maxAnswerBytes ?? 64 * 1024 * 1024,
    clock,
  };
}
