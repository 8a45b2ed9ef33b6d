import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

// Loaded into the program with `node --import`, as operators load it: the OpenTelemetry SDK, which sends spans as OTLP over HTTP to
// OTEL_EXPORTER_OTLP_ENDPOINT.
const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
new NodeTracerProvider({ spanProcessors }).register();
