import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { TracingConfig } from '../config/tracing-config.ts'
import { tracesUrlOf } from './collector.ts'

/** For one export with its retries: a collector that hangs costs the spans of one batch. */
const EXPORT_MS = 5_000

/** Exports by OTLP/HTTP in JSON. `onResult` gets the outcome of every export. */
export function createOtlpExporter(
  config: TracingConfig,
  onResult: (error: unknown) => void,
): SpanExporter {
  const { headers } = config
  const exporter = new OTLPTraceExporter({
    url: tracesUrlOf(config),
    headers,
    timeoutMillis: EXPORT_MS,
  })
  return {
    export(spans: ReadableSpan[], report: (result: ExportResult) => void) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code === ExportResultCode.FAILED
        onResult(hasFailed ? (result.error ?? new Error('the export failed')) : undefined)
        report(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}
