import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { TracingConfig } from '../config/tracing-config.ts'
import { toOtlpJson } from './otlp-json.ts'

/** For one export: a collector that hangs costs the spans of one batch. */
const EXPORT_MS = 5_000

/** The address of a collector that takes spans. */
export function tracesUrlOf({ endpoint }: Pick<TracingConfig, 'endpoint'>): string {
  return `${endpoint}/v1/traces`
}

/** Sends spans; throws where the collector does not take them. Says nothing of what it answered. */
export async function postSpans(
  config: Pick<TracingConfig, 'endpoint' | 'headers'>,
  spans: readonly ReadableSpan[],
  signal: AbortSignal,
): Promise<void> {
  const answer = await fetch(tracesUrlOf(config), {
    method: 'POST',
    redirect: 'error',
    headers: { ...config.headers, 'content-type': 'application/json' },
    body: toOtlpJson(spans),
    signal,
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the collector answered ${answer.status}`)
}

/**
 * Exports by OTLP/HTTP in JSON, without repeating: spans are worth no memory. `onResult` hears of every
 * export. After `shutdown`, exports under way are cut off.
 */
export function createOtlpExporter(
  config: TracingConfig,
  onResult: (error: unknown) => void,
): SpanExporter {
  const stopping = new AbortController()
  return {
    export(spans: ReadableSpan[], report: (result: ExportResult) => void) {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(EXPORT_MS)])
      postSpans(config, spans, signal).then(
        () => {
          onResult(undefined)
          report({ code: ExportResultCode.SUCCESS })
        },
        (error: unknown) => {
          onResult(error)
          report({ code: ExportResultCode.FAILED })
        },
      )
    },
    async shutdown() {
      stopping.abort()
    },
  }
}
