import type { Call } from './call.js';
import { readMembers } from './check-arguments.js';
import { requestFacts } from './client-error.js';
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
import { type CatalogueResolution, type CodeFacts, codeFacts } from './generated/errors.js';
import { redact } from './redact.js';

const classes = {
  'fix-request': InvalidRequestError,
  'fix-credentials': CredentialsError,
  'refresh-token': AccessTokenError,
  'ask-consent': ConsentError,
  'no-data': NoDataError,
  retry: ServiceFailureError,
} as const satisfies Record<CatalogueResolution, unknown>;

/** The response behind an error, for the result style. Kept beside the error, so that logging the error does not log it. */
export const errorResponses = new WeakMap<object, { readonly error: unknown; readonly response: Response }>();

/** What a status says where the code is unknown. https://www.rfc-editor.org/rfc/rfc9110#section-15 */
export function factsOfStatus(status: number): CodeFacts {
  const facts = (resolution: CatalogueResolution, isTemporary = false, mayHaveTakenEffect = false) => ({
    resolution,
    isTemporary,
    mayHaveTakenEffect,
  });
  if (status >= 500) return facts('retry', true, true);
  if (status === 408 || status === 429) return facts('retry', true);
  if (status === 401) return facts('refresh-token');
  if (status === 403) return facts('fix-credentials');
  return facts(status === 410 ? 'ask-consent' : 'fix-request');
}

/** The class of the errors with a resolution and a status. */
export function errorClassOf(resolution: CatalogueResolution, status: number) {
  return resolution === 'retry' && status === 429 ? RateLimitError : classes[resolution];
}

/** The typed error for an error envelope: by its code first, by the HTTP status second, since the status lies. */
export function serviceError(
  call: Call,
  response: Response,
  error: Readonly<Record<string, unknown>>,
  more: Partial<ErrorFacts>,
): VehicleDataError {
  const { operation, settings, secrets } = call;
  const { status } = response;
  const { message, details } = error;
  const given = String(error['code']);
  const known = codeFacts.get(given);
  const code = known ? given : redact(given, secrets);
  const { resolution, isTemporary, mayHaveTakenEffect } = known ?? factsOfStatus(status);
  const mayHaveChanged = mayHaveTakenEffect && operation.method !== 'GET';
  const list: readonly unknown[] = Array.isArray(details) ? details : [];
  const text = redact([message ?? '', ...reasonsOf(list)].join(': '), secrets);
  const failure = new (errorClassOf(resolution, status))(`${operation.name}: ${code} ${text} (HTTP ${status})`, {
    ...more,
    code,
    resolution: mayHaveChanged ? 'check-effect' : resolution,
    isTemporary,
    mayHaveTakenEffect: mayHaveChanged,
    operation: operation.id,
    docsUrl: `${settings.docsUrl}#error-${encodeURIComponent(code)}`,
    request: requestFacts(call),
    details: list,
  });
  errorResponses.set(failure, { error: { error }, response });
  return failure;
}

/** The reasons of details of the contract's shape, as the proxy writes them. */
function reasonsOf(details: readonly unknown[]): readonly string[] {
  return details.slice(0, 3).flatMap((detail) => {
    const reason = readMembers(detail)?.['reason'];
    return typeof reason === 'string' ? [reason] : [];
  });
}
