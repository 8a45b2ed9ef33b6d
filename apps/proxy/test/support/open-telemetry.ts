import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { trace } from 'opentelemetry-api-newest';

// Loaded into the program with `node --import`, as operators load it: the OpenTelemetry SDK, which sends spans as OTLP over HTTP to
// OTEL_EXPORTER_OTLP_ENDPOINT. One that is installed elsewhere brings its own copy of the API, which can be newer than the proxy's.
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
if (process.env['TEST_NEWER_API'] === 'true') trace.setGlobalTracerProvider(provider);
else provider.register();
