import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

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

interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'attributes'> & {
        readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
      })[];
    }[];
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

/** A collector of spans on a free port that keeps every byte it got. */
export async function startSpanCollector() {
  const pieces: Buffer[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    pieces.push(Buffer.from(JSON.stringify([request.url, request.rawHeaders])));
    const body: Buffer[] = [];
    request.on('data', (piece: Buffer) => body.push(piece));
    request.on('end', () => {
      pieces.push(...body);
      bodies.push(Buffer.concat(body).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const received = () => Buffer.concat(pieces).toString();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Number of spans that arrived. */
    spans: () => received().split('"endTimeUnixNano":').length - 1,
    /** The spans in the order of their arrival. */
    parsed: () => bodies.flatMap(spansOf),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
