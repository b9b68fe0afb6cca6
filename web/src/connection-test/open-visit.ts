import { LivekitTestConnection } from '../connection/livekit-test-connection.ts'
import type { Support } from '../devices/support.ts'
import { withinTime } from '../live/within-time.ts'
import { clientFactsOf } from './client-facts.ts'
import { measure } from './measured-run.ts'
import { openOtherPages } from './other-pages.ts'
import { planOf, RUN_MAX_MS } from './plan.ts'
import { openRunMedia } from './run-media.ts'
import { createTestApi } from './test-api.ts'
import { type Run, TestVisit } from './test-visit.ts'

/** Opens a visit to a test with its real parts. */
export function openVisit(link: {
  connectionTestId: string
  ticket: string
  support: Support
}): TestVisit {
  return new TestVisit({
    api: createTestApi(link.connectionTestId, link.ticket),
    support: link.support,
    otherPages: openOtherPages(link.connectionTestId),
    clientFacts: () => clientFactsOf(navigator),
    measure: runOverConnection,
    wait,
    goTo: (address) => globalThis.location.assign(address),
  })
}

async function runOverConnection({ facts, own, access, displaced, onProgress }: Run) {
  const { stream_resolution: resolution, stream_frame_rate: frameRate } = facts
  const media = openRunMedia({ resolution, frameRate, own })
  const plan = planOf(facts.measure_for_sec)
  try {
    const line = new LivekitTestConnection()
    const cut = withinTime(displaced, RUN_MAX_MS)
    return await measure({ line, media, plan, cut, nowMs, wait, onProgress }, access)
  } finally {
    media.stop()
  }
}

function nowMs(): number {
  return performance.now()
}

async function wait(ms: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
