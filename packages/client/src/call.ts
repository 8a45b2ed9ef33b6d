import type { AccessTokens } from './access-token.js';
import type { ApiResponse } from './api-call.js';
import { callOptionRules, type HeaderSource } from './call-options.js';
import { callError, typedError } from './client-error.js';
import { override, type VehicleDataClientOptions } from './client-options.js';
import { AbortedError, TimeoutError, type VehicleDataError } from './errors.js';
import { brandRule, personal } from './generated/operations.js';
import type { Brand } from './generated/schemas.js';
import type { Api } from './middleware.js';
import { report } from './observe.js';
import type { Operation, Params } from './operation.js';
import { type RateGate, sendWithRetries } from './retry.js';
import { checkValues, type Defined, invalidValue } from './rules.js';

/** The client's options, checked once and with every default in place. */
export interface Settings
  extends Pick<VehicleDataClientOptions, 'brand' | 'apiKey' | 'validate' | 'hooks' | 'logger' | 'logLevel'>,
    Defined<Required<Pick<VehicleDataClientOptions, WithDefault>>> {
  /** openapi-fetch, with the base address. */
  readonly api: Api;
  readonly headers: readonly HeaderSource[];
  readonly signals: readonly AbortSignal[];
  /** `null`: none is sent, on purpose. */
  readonly tokens?: AccessTokens | null;
  readonly gate: RateGate;
}
type WithDefault = 'docsUrl' | 'fetch' | 'clock' | 'timeoutMs' | 'maxRetries' | 'maxResponseBytes';

/** A call that has not begun. */
export interface Target extends Settings {
  readonly operation: Operation;
}

/** One call under way, through all its attempts. Its settings are those of the client and of the call. */
export interface Call extends Target {
  readonly params: Params;
  readonly brand: Brand;
  /** Aborted when the call has ended, whatever ended it; the reason is its error. */
  readonly signal: AbortSignal;
  /** Rejects with that error. */
  readonly ended: Promise<never>;
  readonly startedAt: number;
  readonly deadlineAt: number;
  /** Values that no message may repeat. */
  readonly secrets: string[];
  attempt: number;
  /** Whether the attempt under way may have reached the service. */
  sent: boolean;
  /** Access token of the attempt under way, or a new one for the next. */
  token?: string | undefined;
}

/** A successful response, read and checked. */
export interface ReadResponse extends ApiResponse<Readonly<Record<string, unknown>>> {
  readonly body: unknown;
  readonly response: Response;
}

/** A call with its own options, checked and each read once, over the settings of the client. */
export const withOptions = (target: Target, options: unknown): Target =>
  override(target, checkValues(target, 'options', callOptionRules, options ?? {}));

/** What a signal of user code ends. The calls share a listener: of more than ten on one signal, Node 20 warns as of a leak. */
interface Ending {
  readonly calls: Set<() => void>;
  readonly endAll: () => void;
}
const endings = new WeakMap<AbortSignal, Ending>();

function endingOf(signal: AbortSignal): Ending {
  const calls = new Set<() => void>();
  const ending = endings.get(signal) ?? { calls, endAll: () => calls.forEach((end) => void end()) };
  endings.set(signal, ending);
  return ending;
}

/** Carries out one call from its checked parameters to its response, under one deadline. */
export async function perform(target: Target, params: Params): Promise<ReadResponse> {
  const { brand, clock, timeoutMs, signals, apiKey = '' } = target;
  if (!brand) throw invalidValue(target, 'brand', brandRule, brand);
  const controller = new AbortController();
  const { signal } = controller;
  const startedAt = clock.now();
  const call: Call = {
    ...target,
    params,
    brand,
    signal,
    ended: new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
    startedAt,
    deadlineAt: startedAt + timeoutMs,
    secrets: [apiKey, ...(JSON.stringify(params).match(personal) ?? [])],
    attempt: 0,
    sent: false,
  };
  const onAbort = () => controller.abort(abortedError(call));
  const cancelDeadline = clock.after(timeoutMs, () =>
    controller.abort(callError(call, TimeoutError, 'timeout', 'retry', `no response within ${timeoutMs} ms`)),
  );
  for (const one of signals) {
    const { calls, endAll } = endingOf(one);
    calls.add(onAbort);
    // Once, however often it is added.
    one.addEventListener('abort', endAll);
  }
  try {
    if (abortedError(call)) onAbort();
    return await Promise.race([call.ended, sendWithRetries(call)]);
  } catch (error) {
    const failure = typedError(error, call);
    // What is still under way ends with the call.
    controller.abort(failure);
    report(call, 'onError', failure, failure);
    throw failure;
  } finally {
    cancelDeadline();
    for (const one of signals) {
      const { calls, endAll } = endingOf(one);
      if (calls.delete(onAbort) && !calls.size) one.removeEventListener('abort', endAll);
    }
  }
}

/** The error of a call or an iteration that one of its signals has ended. */
export function abortedError(call: Target): VehicleDataError | undefined {
  const ended = call.signals.find(({ aborted }) => aborted);
  return ended && callError(call, AbortedError, 'aborted', 'none', 'ended by your signal', { cause: ended.reason });
}
