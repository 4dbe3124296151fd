import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { loggerOf } from './logging.js'

const EXPORT_TIMEOUT_MS = 5_000
/** The most spans that wait for the collector. Further ones are dropped. */
const MAX_QUEUED_SPANS = 2_048

/** Loads and starts the SDK, and returns a function that stops it. Imported only when there is a collector. */
export function startTracing(service: string, endpoint: string): () => Promise<void> {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'holdfast' }),
    spanProcessors: [new BatchSpanProcessor(exporter, { maxQueueSize: MAX_QUEUED_SPANS })],
  })
  provider.register()
  return async () => {
    try {
      await provider.shutdown()
    } catch (error) {
      loggerOf('telemetry').warn({ err: error }, 'the last spans could not be exported')
    }
  }
}
