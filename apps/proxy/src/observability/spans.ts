import { isSpanContextValid, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type TraceContext, traceIdOf } from '../request/trace-context.js';
import { hasFailed, type RequestRecord } from './observer.js';

export interface RequestSpan {
  /** The trace context for the upstream, whose spans are children of this one. */
  readonly context: TraceContext;
  end(record: RequestRecord): void;
}

export type Tracing = (client: TraceContext) => RequestSpan;

/**
 * Reports every request as a span to the OpenTelemetry SDK that the process was started with (`node --import`); without one,
 * nothing happens. Attributes hold the route template and never a path.
 *
 * {@link https://opentelemetry.io/docs/specs/semconv/http/http-spans/}
 */
export function openTelemetryTracing(): Tracing {
  const tracer = trace.getTracer('@vehicle-data/proxy');
  return ({ parent, state }) => {
    const remote = {
      traceId: traceIdOf(parent),
      spanId: parent.slice(36, 52),
      traceFlags: Number.parseInt(parent.slice(53, 55), 16),
      isRemote: true,
    };
    const context = parent === '' ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
    const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, context);
    return {
      // The state of a client goes to the upstream alone: it can hold anything.
      context: { parent: parentOf(span) || parent, state },
      end(record) {
        const { method, template, status, code } = record;
        span.updateName(`${method} ${template}`);
        span.setAttributes({
          'http.request.method': method,
          'http.route': template,
          'http.response.status_code': status,
        });
        if (hasFailed(record)) span.setStatus({ code: SpanStatusCode.ERROR });
        if (code !== '') span.setAttribute('error.type', code);
        span.end();
      },
    };
  };
}

/** The `traceparent` that names a span as the parent; empty when there is no SDK. */
function parentOf(span: Span): string {
  const context = span.spanContext();
  const flags = context.traceFlags.toString(16).padStart(2, '0');
  return isSpanContextValid(context) ? `00-${context.traceId}-${context.spanId}-${flags}` : '';
}
