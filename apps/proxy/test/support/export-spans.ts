import { type Attributes, type Span, trace } from '@opentelemetry/api';

// Loaded into the program with `node --import`: sends everything that it hands to the OpenTelemetry API as OTLP over HTTP.
const collector = `${process.env['OTEL_EXPORTER_OTLP_ENDPOINT']}/v1/traces`;
let spans: object[] = [];

function send(): void {
  if (spans.length === 0) return;
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  spans = [];
  fetch(collector, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(() => {});
}
setInterval(send, 50).unref();

trace.setGlobalTracerProvider({
  getTracer: () => {
    const none = trace.wrapSpanContext({ traceId: '', spanId: '', traceFlags: 0 });
    const startSpan = (
      name: string,
      options: object = {},
      context?: Parameters<typeof trace.getSpanContext>[0],
    ): Span => {
      const parent = context === undefined ? undefined : trace.getSpanContext(context);
      const added: [string, unknown][] = [];
      const add = (key: string, value: unknown): Span => {
        added.push([key, value]);
        return span;
      };
      const span: Span = {
        spanContext: () => none.spanContext(),
        setAttribute: (key, value) => add(key, value),
        setAttributes: (more: Attributes) => add('attributes', more),
        addEvent: (...event) => add('event', event),
        addLink: (link) => add('link', link),
        addLinks: (links) => add('links', links),
        setStatus: (status) => add('status', status),
        updateName: (text) => add('name', text),
        recordException: (error) => void add('exception', String(error)),
        isRecording: () => true,
        end: (endTime) => void spans.push({ name, options, parent, added, endTime }),
      };
      return span;
    };
    return {
      startSpan,
      startActiveSpan: () => {
        throw new Error('not part of this export');
      },
    };
  },
});
