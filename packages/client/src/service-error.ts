import type { Call } from './call.js';
import {
  AccessTokenError,
  ConsentError,
  CredentialsError,
  InvalidRequestError,
  NoDataError,
  RateLimitError,
  ServiceFailureError,
  type VehicleDataError,
} from './errors.js';
import { errorFacts, type Resolution } from './generated/errors.js';
import { redact } from './redact.js';
import { retryAfterMs } from './retry-timing.js';

const classes = {
  'fix-request': InvalidRequestError,
  'fix-credentials': CredentialsError,
  'refresh-token': AccessTokenError,
  'ask-consent': ConsentError,
  'no-data': NoDataError,
  retry: ServiceFailureError,
};

/** The answer behind an error, for the result style. Kept beside the error, so that logging the error does not log it. */
export const errorAnswers = new WeakMap<object, { readonly error: unknown; readonly response: Response }>();

type Facts = readonly [resolution: Resolution, isTemporary?: boolean, mayHaveTakenEffect?: boolean, codes?: string];

/** What a status says where the code is unknown. https://www.rfc-editor.org/rfc/rfc9110#section-15 */
function factsOfStatus(status: number): Facts {
  if (status >= 500) return ['retry', true, true];
  if (status === 408 || status === 429) return ['retry', true];
  if (status === 401) return ['refresh-token'];
  if (status === 403) return ['fix-credentials'];
  return [status === 410 ? 'ask-consent' : 'fix-request'];
}

/** The typed error for an error envelope: by its code first, by the HTTP status second, since the status lies. */
export function serviceError(
  { operation, settings, secrets }: Call,
  response: Response,
  error: Readonly<Record<string, unknown>>,
  requestId: string | undefined,
): VehicleDataError {
  const { status, headers } = response;
  const { message, details } = error;
  const code = redact(error['code'], secrets);
  const known: Facts | undefined = errorFacts.find(([, , , codes]) => codes.split(' ').includes(code));
  const [resolution, isTemporary = false, mayHaveTakenEffect] = known ?? factsOfStatus(status);
  const Kind = resolution === 'retry' && status === 429 ? RateLimitError : classes[resolution];
  const failure = new Kind(`${operation.id}: ${code} ${redact(message ?? '', secrets)} (HTTP ${status})`, {
    code,
    resolution,
    isTemporary,
    mayHaveTakenEffect: !!mayHaveTakenEffect && operation.method !== 'GET',
    operation: operation.id,
    docsUrl: `${settings.docsUrl}#error-${encodeURIComponent(code)}`,
    status,
    requestId,
    retryAfterMs: retryAfterMs(headers, settings.clock),
    details: Array.isArray(details) ? details : [],
  });
  errorAnswers.set(failure, { error: { error }, response });
  return failure;
}
