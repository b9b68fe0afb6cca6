import type { HrTime } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'

/**
 * Spans of one process as the body of an OTLP/HTTP request in JSON
 * (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): ids in hex, 64-bit numbers as text.
 * Events and links are left out, because the spans have none.
 */
export function toOtlpJson(spans: readonly ReadableSpan[]): string {
  const [first] = spans
  if (first === undefined) return JSON.stringify({ resourceSpans: [] })
  const { resource, instrumentationScope } = first
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toKeyValues(resource.attributes) },
        scopeSpans: [{ scope: { name: instrumentationScope.name }, spans: spans.map(toSpan) }],
      },
    ],
  })
}

function toSpan(span: ReadableSpan) {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const { parentSpanContext: parent, status } = span
  return {
    traceId,
    spanId,
    ...(parent !== undefined && { parentSpanId: parent.spanId }),
    flags: traceFlags,
    name: span.name,
    // The numbers of the API begin with 0, those of the protocol with 1.
    kind: span.kind + 1,
    startTimeUnixNano: toNanoseconds(span.startTime),
    endTimeUnixNano: toNanoseconds(span.endTime),
    attributes: toKeyValues(span.attributes),
    status: { code: status.code },
  }
}

function toNanoseconds([seconds, nanoseconds]: HrTime): string {
  return String(BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds))
}

function toKeyValues(attributes: Readonly<Record<string, unknown>>) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }))
}

function toValue(value: unknown) {
  if (typeof value !== 'number') return { stringValue: String(value) }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
