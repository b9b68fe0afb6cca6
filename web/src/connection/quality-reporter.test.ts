import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LiveRequest } from '../live/live-request.ts'
import { createLiveRoom } from '../live/live-room.ts'
import { fakeDrafts } from '../live/testing/fake-page.ts'
import { QualityReporter } from './quality-reporter.ts'

function service() {
  const seen = { sent: [] as unknown[], isReached: true }
  const request = (async (_method, path, body) => {
    seen.sent.push([path, body])
    return seen.isReached
      ? { ok: true, data: undefined }
      : { ok: false, code: 'OFFLINE', details: [] }
  }) as LiveRequest
  const line = new QualityReporter()
  const me = { participantId: null, role: 'panelist' } as const
  const live = line.follow(createLiveRoom({ me, drafts: fakeDrafts(), request, onClose: () => {} }))
  return { seen, line, live }
}

const sent = (quality: string, isSilent = false) => [
  '/line',
  { quality, is_microphone_silent: isSilent },
]
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the report of the own connection quality', () => {
  test('is sent immediately, and again only when the quality changes', async () => {
    const { seen, line } = service()
    line.heard('unknown')
    line.heard('good')
    await advance(60_000)
    line.heard('good')
    await advance(60_000)
    expect(seen.sent).toEqual([sent('good')])
    line.heard('poor')
    expect(seen.sent).toEqual([sent('good'), sent('poor')])
  })

  test('waits 5 s after the previous report, and then sends the current quality', async () => {
    const { seen, line } = service()
    line.heard('good')
    line.heard('fair')
    line.heard('poor')
    await advance(4_900)
    expect(seen.sent).toEqual([sent('good')])
    await advance(200)
    expect(seen.sent).toEqual([sent('good'), sent('poor')])
  })

  test('is sent again if it did not reach the service', async () => {
    const { seen, line } = service()
    seen.isReached = false
    line.heard('lost')
    await advance(5_100)
    seen.isReached = true
    await advance(5_100)
    await advance(60_000)
    expect(seen.sent).toEqual([sent('lost'), sent('lost'), sent('lost')])
  })

  test('says that the microphone sends no sound, and that it is heard again', async () => {
    const { seen, line } = service()
    line.silent(false)
    line.heard('good')
    await advance(5_100)
    line.silent(true)
    await advance(5_100)
    line.silent(false)
    expect(seen.sent).toEqual([sent('good'), sent('good', true), sent('good')])
  })

  test('ends with the visit', async () => {
    const { seen, line, live } = service()
    line.heard('good')
    line.heard('poor')
    live.close()
    line.heard('lost')
    await advance(60_000)
    expect(seen.sent).toEqual([sent('good')])
  })
})
