import createClient from 'openapi-fetch';
import { AccessTokens } from './access-token.js';
import { type AgedAnswer, type Answer, ApiCall } from './api-call.js';
import type { ReadAnswer, Settings } from './call.js';
import type { CallOptions } from './call-options.js';
import { checkArguments, readMembers } from './check-arguments.js';
import { argumentError } from './client-error.js';
import type { VehicleDataClientOptions } from './client-options.js';
import { systemClock } from './clock.js';
import type { OperationMethods } from './generated/methods.js';
import { operations } from './generated/operations.js';
import type { paths } from './generated/types.js';
import type { Operation } from './operation.js';
import { createPerform, type Perform } from './perform.js';
import { createRawClient, type RawClient } from './raw-client.js';

/** A client of the vehicle data service. */
export interface VehicleDataClient extends OperationMethods {
  /** The result style of openapi-fetch, with the same checks, retries and deadline. */
  readonly raw: RawClient;
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
  const perform = createPerform(createClient<paths>({ baseUrl: settings.baseUrl }), settings);
  const methods = Object.fromEntries(operations.flatMap((operation) => methodsOf(operation, perform, settings)));
  // The methods are built from the table, their types are generated from the same contract.
  return { ...methods, raw: createRawClient(perform) } as unknown as VehicleDataClient;
}

type Method = (...args: readonly [unknown?, unknown?]) => ApiCall<unknown>;

function methodsOf(operation: Operation, perform: Perform, settings: Settings): readonly (readonly [string, Method])[] {
  const call = (given: unknown, options: unknown, wide: boolean) =>
    new ApiCall(start(operation, perform, settings, given, options, wide));
  if (operation.wide) {
    const [, narrow, wide] = operation.wide;
    return [
      [narrow, (given, options) => call(given, options, false)],
      [wide, (given, options) => call(given, options, true)],
    ];
  }
  const takesNone = Object.keys(operation.parameters).length === 0;
  return [[operation.id, (first, second) => (takesNone ? call({}, first, false) : call(first, second, false))]];
}

async function start(
  operation: Operation,
  perform: Perform,
  settings: Settings,
  given: unknown,
  callOptions: unknown,
  wide: boolean,
): Promise<Answer<unknown>> {
  const options: CallOptions = readMembers(callOptions) ?? {};
  if (wide) confirm(operation, given, options.brand ?? settings.brand);
  const read = await perform(operation, checkArguments(operation, wide ? {} : given, wide), options);
  return answerOf(operation, read, settings);
}

function confirm(operation: Operation, given: unknown, brand: string | undefined): void {
  const { brand: repeated, ...others } = readMembers(given) ?? {};
  if (brand === undefined || repeated !== brand || Object.keys(others).length > 0) {
    throw argumentError(
      operation,
      'to stop sharing for all vehicles, repeat the brand in effect as { brand }, and nothing else',
    );
  }
}

function answerOf(operation: Operation, { data, meta, response, requestId }: ReadAnswer, { clock }: Settings) {
  const { status, headers } = response;
  const answer: Answer<unknown> = { data, meta, status, headers, requestId };
  if (!operation.measuredAt) return answer;
  const measured = Date.parse(String(data[operation.measuredAt]));
  // The service's own clock where it gives its time: the two clocks may differ.
  const answered = Date.parse(meta.timestamp ?? '');
  const dataAgeMs = Number.isNaN(measured) ? null : Math.max(0, (answered || clock.now()) - measured);
  return { ...answer, dataAgeMs } satisfies AgedAnswer<unknown>;
}

function readOptions(options: VehicleDataClientOptions): Settings {
  const baseUrl = readBaseUrl(options.baseUrl);
  // Looked up at each call, so that an instrumented fetch is found, and called without a receiver.
  const transport = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  return {
    baseUrl,
    docsUrl: options.docsUrl ?? `${baseUrl}/docs`,
    brand: options.brand,
    headers: options.headers,
    tokens: new AccessTokens(options.accessToken),
    fetch: (request) => transport(request),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 2,
    maxRetryDelayMs: options.maxRetryDelayMs ?? 20_000,
    maxAnswerBytes: options.maxAnswerBytes ?? 64 * 1024 * 1024,
    validate: options.validate,
    hooks: options.hooks ?? {},
    logger: options.logger,
    clock: options.clock ?? systemClock,
  };
}

function readBaseUrl(given: string | URL): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw argumentError(undefined, 'baseUrl must be an http or https address without user, query and fragment');
  }
  return url.href.replace(/\/+$/, '');
}
