import { setTimeout as sleep } from 'node:timers/promises'
import {
  differencesOf,
  lookAt,
} from '@interview-room/media-server/test/acceptance/harness/compare-looks.ts'
import { recordSignalMessages } from '@interview-room/media-server/test/acceptance/harness/signal-messages.ts'
import { connectRtcClient } from '@interview-room/media-server/test/support/rtc-client.ts'
import { describe, expect, test } from 'vitest'
import { join } from './harness/browser.ts'
import { foreignLivekit } from './harness/foreign-livekit.ts'
import { useTestEnvironment } from './harness/test-environment.ts'

/** A LiveKit server that the environment names. */
const foreign = foreignLivekit()
/** livekit-server looks every five seconds who has arrived. */
const LOOK_MS = 6000
const LOOKS = 10
/** Messages that follow from the panelist's own entry and publication have come by then. */
const SETTLING_MS = 15_000
const LIMIT = { timeout: 900_000 }

describe.runIf(foreign !== undefined)('beside a LiveKit server, a panelist', () => {
  const env = useTestEnvironment({
    ownService: { env: () => foreign?.settings ?? {}, port: foreign?.port },
  })

  test(
    'receives messages of each kind as often and at the same times, whether observers arrive or not',
    LIMIT,
    async () => {
      const { id: roomId } = await env.tenant.book()
      const panelist = await env.open({ roomId, role: 'panelist', name: 'Pana' })
      const received = recordSignalMessages(panelist)
      await join(panelist)
      await sleep(SETTLING_MS)
      const looking = { received, times: LOOKS, lookMs: LOOK_MS }
      const quiet = await lookAt({ ...looking, during: async () => async () => {} })
      const from = received.length
      const arrivals = await lookAt({
        ...looking,
        during: async () => {
          const observer = await env.enterByHand({ roomId, role: 'observer', name: 'Obi' })
          const { url, token } = observer.media
          const client = await connectRtcClient(url, token)
          return () => client.leave()
        },
      })
      const before = new Set(received.slice(0, from).map(({ kind }) => kind))
      const others = received.slice(from).filter(({ kind }) => !before.has(kind))
      expect(others).toEqual([])
      expect(differencesOf(quiet, arrivals)).toEqual([])
    },
  )
})
