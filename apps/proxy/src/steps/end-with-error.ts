import { attempt } from '../attempt.js';
import { ClientLeft } from '../forward/request-lifetime.js';
import { brokenOff } from '../observability/observer.js';
import { errorBody, ProxyError, proxyError } from '../response/proxy-error.js';
import { respond } from '../response/response-writer.js';
import type { ProxyCall } from './proxy-call.js';
import { unauthenticatedReason } from './rejections.js';

const encoder = new TextEncoder();

/**
 * The one place where an error ends a request: with the error envelope, or with a cut when the response has begun. An error that is no
 * `ProxyError` is reported without its message and becomes `internal-error`.
 *
 * @param breaksOff whether the proxy breaks off what has not ended, because it stops
 * @param report receives an error that no rule foresees
 */
export function endWithError(
  error: unknown,
  { out, record, responseHeaders }: Pick<ProxyCall, 'out' | 'record' | 'responseHeaders'>,
  breaksOff: boolean,
  report: (error: unknown) => void,
): void {
  if (error instanceof ClientLeft) {
    if (breaksOff) {
      // The proxy has left, and not the client. A response that has begun keeps its status.
      record.code = brokenOff;
      record.reason = 'the time to drain was over';
      return;
    }
    record.code = error.code;
    record.reason = error.message;
    if (error.code === 'client-too-slow') attempt(() => out.cut(), report);
    else record.status = 0;
    return;
  }
  const known = error instanceof ProxyError;
  if (!known) report(error);
  const shown = known ? error : proxyError('internal-error', [], [], 'an unexpected error');
  record.code = shown.code;
  record.reason = shown.reason;
  try {
    // A response that has begun is broken off.
    if (record.status !== 0) out.cut();
    else {
      record.status = shown.status;
      // Who has no good credentials does not hold a connection.
      if (shown.code === 'invalid-client-credentials' || shown.reason === unauthenticatedReason)
        out.closeAfterwards?.();
      const all = ['content-type', 'application/json', ...shown.headers, ...responseHeaders];
      respond(out, shown.status, all, encoder.encode(errorBody(shown, record.requestId)));
    }
  } catch (second) {
    report(second);
    out.cut();
  }
}
