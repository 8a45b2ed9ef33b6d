import { ClientLeft } from '../forward/request-lifetime.js';
import { describeError, type Observer, type OpenRecord } from '../observability/observer.js';
import { ProxyError, proxyError } from './proxy-error.js';
import { type ResponseWriter, respondWithError } from './response-writer.js';

/**
 * The one place where an error ends a request: with the error envelope, or with a cut when the response has begun. An error that is no
 * `ProxyError` is reported without its message and becomes `internal-error`.
 *
 * @param headers further response headers, as name, value, name, value
 */
export function endWithError(
  error: unknown,
  out: ResponseWriter,
  record: OpenRecord,
  headers: readonly string[],
  observer: Required<Observer>,
): void {
  if (error instanceof ClientLeft) {
    record.code = 'client-closed-request';
    record.status = 0;
    return;
  }
  const known = error instanceof ProxyError;
  if (!known) observer.unexpected(describeError(error, record.requestId));
  const shown = known ? error : proxyError('internal-error', [], [], 'an unexpected error');
  const begun = record.status !== 0;
  record.code = shown.code;
  record.reason = shown.reason;
  try {
    if (begun) out.cut();
    else {
      record.status = shown.status;
      // Who has no good credentials does not hold a connection.
      if (shown.code === 'invalid-client-credentials') out.closeAfterwards?.();
      respondWithError(out, shown.with(headers), record.requestId);
    }
  } catch (second) {
    observer.unexpected(describeError(second, record.requestId));
    out.cut();
  }
}
