import type { Config } from '../platform/config/config.ts'
import { probeCollector, tracesUrlOf } from '../platform/tracing/collector.ts'
import { type CheckResult, examine, fail, ok, reasonOf } from './check-result.ts'

const ANSWER_MS = 5_000
const MEND =
  'Check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS, and that the collector takes OTLP/HTTP in JSON.'

/** Checks that the collector takes spans by sending an empty list. No finding if nothing is traced. */
export async function checkTracing({ tracing }: Pick<Config, 'tracing'>): Promise<CheckResult[]> {
  if (tracing === undefined) return []
  const url = tracesUrlOf(tracing)
  const found = await examine('tracing:collector', MEND, () =>
    probeCollector(tracing, AbortSignal.timeout(ANSWER_MS)).then(
      () => ok(`${url} takes spans`),
      (error: unknown) => fail(`${url} takes no spans (${reasonOf(error)})`, MEND),
    ),
  )
  return [found]
}
