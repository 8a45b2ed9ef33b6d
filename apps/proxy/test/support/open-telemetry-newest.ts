import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { trace } from 'opentelemetry-api-newest';

// The same, made known through another copy of the API than the proxy's: an SDK that is installed elsewhere brings its own.
const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
trace.setGlobalTracerProvider(new NodeTracerProvider({ spanProcessors }));
