import type { Call } from './call.js';
import { docsUrl } from './client-error.js';
import {
  AccessTokenError,
  ConsentError,
  CredentialsError,
  type ErrorFacts,
  InvalidRequestError,
  NoDataError,
  RateLimitError,
  ServiceFailureError,
  type VehicleDataError,
} from './errors.js';
import { errorFacts, type Resolution } from './generated/errors.js';
import { redact } from './redact.js';
import { retryAfterMs } from './retry-timing.js';

const classes: Readonly<Record<Resolution, new (message: string, facts: ErrorFacts) => VehicleDataError>> = {
  'fix-request': InvalidRequestError,
  'fix-credentials': CredentialsError,
  'refresh-token': AccessTokenError,
  'ask-consent': ConsentError,
  'no-data': NoDataError,
  retry: ServiceFailureError,
};

/** The answer behind an error, for the result style. Kept beside the error, so that logging the error does not log it. */
const answers = new WeakMap<Error, { readonly error: unknown; readonly response: Response }>();

export function errorAnswer(error: unknown): { readonly error: unknown; readonly response: Response } | undefined {
  return error instanceof Error ? answers.get(error) : undefined;
}

type Facts = readonly [resolution: Resolution, isTemporary: boolean, mayHaveTakenEffect: boolean];

const factsByCode = new Map<string, Facts>(
  errorFacts.flatMap(([resolution, temporary, effect, codes]) =>
    codes.split(' ').map((code): [string, Facts] => [code, [resolution, temporary, effect]]),
  ),
);

/** What a status says where the code is unknown. https://www.rfc-editor.org/rfc/rfc9110#section-15 */
function factsOfStatus(status: number): Facts {
  if (status === 401) return ['refresh-token', false, false];
  if (status === 403) return ['fix-credentials', false, false];
  if (status === 410) return ['ask-consent', false, false];
  if (status === 408 || status === 429) return ['retry', true, false];
  return status >= 500 ? ['retry', true, true] : ['fix-request', false, false];
}

/** The typed error for an error envelope: by its code first, by the HTTP status second, since the status lies. */
export function serviceError(
  call: Call,
  response: Response,
  error: Readonly<Record<string, unknown>>,
  requestId: string | undefined,
): VehicleDataError {
  const { operation, settings, secrets } = call;
  const { status } = response;
  const code = redact(String(error['code']), secrets);
  const [resolution, isTemporary, mayHaveTakenEffect] = factsByCode.get(code) ?? factsOfStatus(status);
  const limited = resolution === 'retry' && status === 429;
  const text = typeof error['message'] === 'string' ? ` ${redact(error['message'], secrets)}` : '';
  const Kind = limited ? RateLimitError : classes[resolution];
  const failure = new Kind(`${operation.id}: ${code}${text} (HTTP ${status})`, {
    code,
    resolution,
    isTemporary,
    mayHaveTakenEffect: mayHaveTakenEffect && operation.method !== 'GET',
    operation: operation.id,
    status,
    requestId,
    retryAfterMs: retryAfterMs(response.headers, settings.clock),
    details: Array.isArray(error['details']) ? error['details'] : [],
    docsUrl: docsUrl(settings.docsUrl, code),
  });
  answers.set(failure, { error: { error }, response });
  return failure;
}
