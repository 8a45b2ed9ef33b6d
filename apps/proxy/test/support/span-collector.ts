import { listen } from './listen.ts';

/** A span as OTLP has it, its attributes by name. */
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

interface Attributes {
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly (Omit<CollectedSpan, 'attributes'> & Attributes)[] }[];
  }[];
}

/** The spans of one request: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
function spansOf(body: string): readonly CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body) as OtlpBody;
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  return spans.map((span) => ({
    ...span,
    attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
  }));
}

/** A collector of spans on a free port that keeps everything it got. */
export async function startSpanCollector() {
  const received: string[] = [];
  const bodies: string[] = [];
  const { url, close } = await listen((request, response, body) => {
    received.push(JSON.stringify([request.url, request.rawHeaders]), body);
    bodies.push(body);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return {
    url,
    close,
    received: () => received.join(''),
    /** Number of spans that arrived. */
    spans: () => received.join('').split('"endTimeUnixNano":').length - 1,
    /** The spans in the order of their arrival. */
    parsed: () => bodies.flatMap(spansOf),
  };
}
