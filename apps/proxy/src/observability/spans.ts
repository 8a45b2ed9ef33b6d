import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { traceIdOf } from '../request/trace-context.js';
import type { Observer } from './observer.js';

/**
 * Reports every call as a span to the OpenTelemetry SDK that the process was started with (`node --import`); without one,
 * nothing happens. Attributes hold the route template and never a path.
 *
 * {@link https://opentelemetry.io/docs/specs/semconv/http/http-spans/}
 */
export function spanObserver(): Observer {
  const tracer = trace.getTracer('@vehicle-data/proxy');
  return {
    call({ method, template, status, code, durationMs, traceParent }) {
      const endTime = Date.now();
      const remote = {
        traceId: traceIdOf(traceParent),
        spanId: traceParent.slice(36, 52),
        traceFlags: Number.parseInt(traceParent.slice(53, 55), 16),
        isRemote: true,
      };
      const context = traceParent === '' ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
      const attributes = { 'http.request.method': method, 'http.route': template, 'http.response.status_code': status };
      const options = { kind: SpanKind.SERVER, startTime: endTime - durationMs, attributes };
      const span = tracer.startSpan(`${method} ${template}`, options, context);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      if (code !== '') span.setAttribute('error.type', code);
      span.end(endTime);
    },
  };
}
