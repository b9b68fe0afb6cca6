import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { TracingConfig } from '../config/tracing-config.ts'
import { settlesWithin } from '../lib/settles-within.ts'
import { readTraceparent, traceContext } from '../lib/trace.ts'
import type { NewSpan, OpenSpan, SpanAttributes, Tracer } from '../ports/tracer.ts'
import { tracesUrlOf } from './collector.ts'

const SCOPE = 'interview-room'
/** Grace for the remaining spans at a shutdown. */
const FLUSH_MS = 2_000
/** How long spans wait for further ones. */
const BATCH_MS = 2_000
/** Spans that may wait; further ones are lost. */
const WAITING_MAX = 4_096

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const

/** For one export with its retries: a collector that hangs costs the spans of one batch. */
const EXPORT_MS = 5_000

/**
 * Starts the exporter of spans to the collector. This folder is the only place that knows OpenTelemetry; it is loaded
 * only if there is a collector.
 */
export function startTracer(
  config: TracingConfig,
  { log, role }: { log: Logger; role: string },
): Tracer {
  const exporter = createOtlpExporter(config, logChanges(log))
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': config.serviceName,
        'interview_room.role': role,
      }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.sampledShare) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: BATCH_MS,
        maxQueueSize: WAITING_MAX,
      }),
    ],
  })
  const sdkTracer = provider.getTracer(SCOPE)
  return {
    begin: ({ name, kind, attributes = {} }: NewSpan) =>
      openSpan(
        sdkTracer.startSpan(name, { kind: KINDS[kind], attributes }, parentOf(traceContext())),
      ),
    async close() {
      await settlesWithin(provider.shutdown(), FLUSH_MS)
    },
  }
}

/** The context of OpenTelemetry in which the stored one is the parent. */
function parentOf(context: string | undefined) {
  const [, traceId, spanId, flags] = readTraceparent(context)?.split('-') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16)
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

function openSpan(span: Span): OpenSpan {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    context: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    describe(attributes: SpanAttributes) {
      span.setAttributes(attributes)
    },
    fail(errorType) {
      span.setAttribute('error.type', errorType)
      span.setStatus({ code: SpanStatusCode.ERROR })
    },
    end() {
      span.end()
    },
  }
}

/** A line when exports begin to fail, and one when they work again. */
function logChanges(log: Logger): (error: unknown) => void {
  let isFailing = false
  return (error) => {
    const fails = error !== undefined
    if (fails && !isFailing) log.warn({ err: error }, 'traces are not exported')
    if (!fails && isFailing) log.info('traces are exported again')
    isFailing = fails
  }
}

/** Exports by OTLP/HTTP in JSON. `onResult` gets the outcome of every export. */
function createOtlpExporter(
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
