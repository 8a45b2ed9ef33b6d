import type { Call } from './call.js';
import { callError, type MoreFacts } from './client-error.js';
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
import { type CatalogueResolution, codes, perhapsDone } from './generated/errors.js';
import { redact } from './redact.js';
import { isText, membersOf } from './rules.js';

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

/** What a status says where nothing else does. https://www.rfc-editor.org/rfc/rfc9110#section-15 */
export function resolutionOfStatus(status: number): CatalogueResolution {
  if (status >= 500 || status === 408 || status === 429) return 'retry';
  if (status === 401) return 'refresh-token';
  return status === 403 ? 'fix-credentials' : 'fix-request';
}

// The keys of an object literal.
const resolutions = Object.keys(classes) as CatalogueResolution[];

/** What a code says, or, where it is unknown, the status. */
export function factsOf(code: string, status: number) {
  const known = resolutions.find((one) => codes[one].includes(code));
  const resolution = known ?? (status === 410 ? 'ask-consent' : resolutionOfStatus(status));
  return {
    isKnown: known !== undefined,
    resolution,
    Failure: resolution === 'retry' && status === 429 ? RateLimitError : classes[resolution],
    /** Whether a call that changes something may have done so. */
    mayHaveTakenEffect: known ? perhapsDone.includes(code) : status >= 500,
  };
}

/** The typed error for an error envelope: by its code first, by the HTTP status second, since the status lies. */
export function serviceError(
  call: Call,
  response: Response,
  error: Readonly<Record<string, unknown>>,
  more: MoreFacts,
): VehicleDataError {
  const { secrets } = call;
  const { status } = response;
  const { message = '', details } = error;
  const given = `${error['code']}`;
  const { isKnown, resolution, Failure, mayHaveTakenEffect } = factsOf(given, status);
  const code = isKnown ? given : redact(given, secrets);
  const list: readonly unknown[] = Array.isArray(details) ? details : [];
  // The reasons of details of the contract's shape, as the proxy writes them.
  const reasons = list.slice(0, 3).map((detail) => membersOf(detail)?.['reason']);
  const text = redact([message, ...reasons.filter(isText)].join(': '), secrets);
  const found = callError(call, Failure, code, resolution, `${code} ${text}`, {
    ...more,
    details: list,
    mayHaveTakenEffect,
    // An unknown code has no page.
    ...(!isKnown && { docsPage: 'guides/errors/' }),
  });
  errorResponses.set(found, { error: { error }, response });
  return found;
}
