import type { TracingConfig } from '../config/tracing-config.ts'

/** The address of a collector that takes spans. */
export function tracesUrlOf({ endpoint }: Pick<TracingConfig, 'endpoint'>): string {
  return `${endpoint}/v1/traces`
}

/** Sends the collector no spans, and throws where it would not take any. Does not report what it answered. */
export async function probeCollector(
  config: Pick<TracingConfig, 'endpoint' | 'headers'>,
  signal: AbortSignal,
): Promise<void> {
  const answer = await fetch(tracesUrlOf(config), {
    method: 'POST',
    redirect: 'error',
    headers: { ...config.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [] }),
    signal,
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the collector answered ${answer.status}`)
}
