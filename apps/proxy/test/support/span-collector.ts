import { fileURLToPath } from 'node:url';
import { startUpstream } from './servers.ts';

/** A span as OTLP has it, its attributes by name: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

type Sent = Omit<CollectedSpan, 'attributes'> & {
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
};

/** The spans of one request. */
function spansOf(body: string): readonly CollectedSpan[] {
  const sent = JSON.parse(body) as { resourceSpans: readonly { scopeSpans: readonly { spans: readonly Sent[] }[] }[] };
  const spans = sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const named = ({ key, value }: Sent['attributes'][number]) => [key, Object.values(value)[0]] as const;
  return spans.map((span) => ({ ...span, attributes: Object.fromEntries(span.attributes.map(named)) }));
}

/** Starts a collector of spans, and gives what makes the program send its spans there, also through a newer API than its own. */
export async function startSpanCollector(newerApi = false) {
  const { url, seen } = await startUpstream(() => ({ body: '{}' }));
  const exporter = {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    TEST_NEWER_API: String(newerApi),
  };
  const settings = { VDS_TRACES: 'true', ...exporter };
  const nodeFlags = ['--import', fileURLToPath(new URL('open-telemetry.ts', import.meta.url))];
  const received = () => seen.map(({ url, headers, body }) => url + JSON.stringify(headers) + body).join('');
  /** The spans in the order of their arrival. */
  const spans = () => seen.flatMap(({ body }) => spansOf(body));
  return { settings, nodeFlags, received, spans };
}
