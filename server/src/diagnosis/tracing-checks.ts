import { type Check, fail, ok } from '../platform/checks/check.ts'
import { reasonOf } from '../platform/checks/reasons.ts'
import { probeCollector, tracesUrlOf } from '../platform/tracing/collector.ts'
import type { Diagnosis } from './diagnosis.ts'

const ANSWER_MS = 5_000

/** The collector takes spans: it gets an empty list. */
export const TRACING_CHECK: Check<Pick<Diagnosis, 'config'>> = {
  name: 'tracing:collector',
  async ask({ config: { tracing } }) {
    if (tracing === undefined) return undefined
    const url = tracesUrlOf(tracing)
    return probeCollector(tracing, AbortSignal.timeout(ANSWER_MS)).then(
      () => ok(`${url} takes spans`),
      (error: unknown) => fail(`${url} takes no spans (${reasonOf(error)})`),
    )
  },
  passes: 'nothing is traced',
  advice:
    'Check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS, and that the collector takes OTLP/HTTP in JSON.',
}
