import { EgressInfo, EgressStatus } from '@livekit/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLog } from '../lib/log.ts'
import { Egress, type EgressContext } from './egress.ts'
import { nanos } from './info.ts'
import { WorkFolder } from './work-folder.ts'

const HOUR_MS = 60 * 60_000
const WAIT = { timeout: 120_000 }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** One that ends after an hour, and what it waits for. */
function endingEgress() {
  const produced = Promise.withResolvers<Awaited<ReturnType<EgressContext['produce']>>>()
  const asked = Promise.withResolvers<void>()
  const beganAt = Date.now() - HOUR_MS
  const info = new EgressInfo({
    egressId: 'EG_1',
    status: EgressStatus.EGRESS_ACTIVE,
    startedAt: nanos(beganAt),
    updatedAt: nanos(beganAt),
  })
  const output = { kind: 'file', file: '/nowhere.mp4' } as const
  const plan = {} as never
  const egress = new Egress(
    { info, job: { selection: { of: 'tracks', sids: [] }, plan, output } },
    {
      work: Object.assign(new WorkFolder('/nowhere'), {
        save: async () => {},
        saveEnded: async () => {},
        remove: async () => {},
      }),
      log: silentLog,
      notify: () => {},
      limits: { startTimeoutMs: 0, sessionMs: 0, chunkMs: 0 },
      produce: () => {
        asked.resolve()
        return produced.promise
      },
    },
  )
  egress.recover(beganAt)
  return { egress, info, asked: asked.promise, finish: produced.resolve }
}

describe('an egress whose file is being made', () => {
  test('sends an update every ten seconds, and none after its end', async () => {
    const { info, asked, finish } = endingEgress()
    await asked
    for (let round = 0; round < 3; round++) {
      const before = info.updatedAt
      vi.advanceTimersByTime(10_000)
      expect(info.updatedAt - before).toBe(10_000_000_000n)
      expect(info.status).toBe(EgressStatus.EGRESS_ENDING)
    }
    finish({ durationMs: 1, delivered: { filename: 'x', location: 'x', sizeBytes: 1 } })
    await vi.waitFor(() => expect(info.status).toBe(EgressStatus.EGRESS_COMPLETE), WAIT)
    const { updatedAt } = info
    vi.advanceTimersByTime(60_000)
    expect(info.updatedAt).toBe(updatedAt)
  })
})
