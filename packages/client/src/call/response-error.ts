// The typed errors for responses that are none of success: by the code of the service first, by the HTTP status second.
import { callError } from '../call-error.js';
import { isText, membersOf, textOf } from '../checks/rules.js';
import { type ErrorFacts, errorClass, MalformedResponseError, type VehicleDataError } from '../errors.js';
import { type CatalogueResolution, codes, perhapsDone } from '../generated/errors.js';
import { personal } from '../generated/operations.js';
import type { Call } from './call.js';
import { redact } from './redact.js';

/** What a status says where nothing else does. https://www.rfc-editor.org/rfc/rfc9110#section-15 */
function resolutionOfStatus(status: number): CatalogueResolution {
  if (status >= 500 || status === 408 || status === 429) return 'retry';
  if (status === 401) return 'refresh-token';
  return status === 403 ? 'fix-credentials' : 'fix-request';
}

/**
 * What a code says, or, where it is unknown, the status. Consent ends by a code of the catalogue alone: every status has
 * other meanings as well, 410 that of an address that is retired.
 */
export function factsOf(code: string, status: number) {
  // The names of an object literal.
  const known = (Object.keys(codes) as CatalogueResolution[]).find((one) => codes[one].includes(code));
  const resolution = known ?? resolutionOfStatus(status);
  return {
    isKnown: known !== undefined,
    resolution,
    Failure: errorClass(resolution, status),
    /** Whether a call that changes something may have done so. */
    mayHaveTakenEffect: known ? perhapsDone.includes(code) : status >= 500,
  };
}

/** The response behind an error, for the result style. Kept beside the error, so that logging the error does not log it. */
export const errorResponses = new WeakMap<
  object,
  { readonly error: { readonly error: Readonly<Record<string, unknown>> }; readonly response: Response }
>();

/** The error for an error envelope, whatever its status, since the status lies. */
export function serviceError(
  call: Call,
  response: Response,
  error: Readonly<Record<string, unknown>>,
  more: Partial<ErrorFacts>,
): VehicleDataError {
  const { message, details: given } = error;
  const { isKnown, resolution, Failure, mayHaveTakenEffect } = factsOf(textOf(error['code']), response.status);
  const code = redact(error['code'], call.secrets);
  const details: readonly unknown[] = Array.isArray(given) ? given : [];
  // The reasons of details of the contract's shape, as the proxy writes them.
  const reasons = details.slice(0, 3).map((detail) => membersOf(detail)?.['reason']);
  const text = redact([message, ...reasons].filter(isText).join(': '), call.secrets);
  const hint = resolution === 'ask-consent' && hasUnlikelyVin(call) ? unlikelyVinHint : '';
  const found = callError(call, Failure, code, resolution, `${code} ${text}${hint}`, {
    ...more,
    details,
    mayHaveTakenEffect,
    // An unknown code has no page.
    ...(!isKnown && { docsUrl: undefined }),
  });
  errorResponses.set(found, { error: { error }, response });
  return found;
}

/** Letters that no VIN has: https://www.iso.org/standard/52200.html */
const hasUnlikelyVin = ({ params }: Call) =>
  JSON.stringify(params)
    .match(personal)
    ?.some((vin) => /[a-zIOQ]/.test(vin)) ?? false;
const unlikelyVinHint = '; check the VIN for a typing mistake: it has lower-case letters, or I, O or Q';

/** The error for something else than an envelope: a page of a gateway, or a success that was lost on the way. */
export function foreignResponseError(call: Call, facts: Partial<ErrorFacts> & { readonly status: number }) {
  const { status } = facts;
  const reason =
    status === 407 ? 'a network proxy on the way asks for its own credentials' : 'not a response of this service';
  if (status < 400) return callError(call, MalformedResponseError, 'malformed-response', 'retry', reason, facts);
  const resolution = resolutionOfStatus(status);
  return callError(call, errorClass(resolution, status), 'malformed-response', resolution, reason, facts);
}
