import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { test } from './harness/fixtures.ts'
import type { Client } from './harness/page.ts'
import { recordSignalMessages } from './harness/signal-messages.ts'
import { until } from './harness/until.ts'

/** As observers join. */
const HIDDEN = { kind: 'agent', grant: { hidden: true, canPublish: false } }
/** As the room page publishes. */
const PAGE = {
  singlePeerConnection: false,
  adaptiveStream: true,
  dynacast: false,
  videoCaptureDefaults: { resolution: { width: 320, height: 180, frameRate: 15 } },
  publishDefaults: { simulcast: false, videoCodec: 'vp8', backupCodec: false },
} as const
const RECEIVER = { adaptiveStream: true }
/** livekit-server first reports unrequested layers after ten seconds, and later after five. */
const SETTLING_MS = 12_000

/** As the room page does. */
function publishWithoutLayers({ room }: Client): void {
  const signal = Object.getPrototypeOf(room.engine.client)
  const send = signal.sendAddTrack
  signal.sendAddTrack = function sendAddTrack(request: { layers: unknown[] }) {
    request.layers = []
    return send.call(this, request)
  }
}

describe('a hidden subscriber changes nothing that a publisher receives', () => {
  describe.each([
    { what: 'who is alone', hasCompany: false, namesLayers: false },
    { what: 'with somebody whose tab is hidden', hasCompany: true, namesLayers: false },
    { what: 'who names layers', hasCompany: false, namesLayers: true },
  ])('$what', ({ hasCompany, namesLayers }) => {
    test('receives the same', async ({ stage, open, join, token, api, room, skip }) => {
      skip(
        !stage.isEmbedded && namesLayers,
        'livekit-server reports whether named layers are received',
      )
      // Our own server waits for nothing.
      const settle = async (): Promise<void> => {
        if (!stage.isEmbedded) await sleep(SETTLING_MS)
      }
      const alice = await open()
      const received = recordSignalMessages(alice)
      await alice.run((client, entry) => client.join(entry), {
        url: stage.url,
        token: await token('alice'),
        options: PAGE,
      })
      if (!namesLayers) await alice.run(publishWithoutLayers)
      await alice.run(async (client) => {
        await client.room.localParticipant.setCameraEnabled(true)
        await client.room.localParticipant.setMicrophoneEnabled(true)
      })
      const bob = hasCompany ? await join('bob', { options: RECEIVER }) : undefined
      const presentCount = bob === undefined ? 1 : 2
      if (bob !== undefined) {
        await bob.showsFrames('alice')
        await bob.run((client) => client.remote('alice', 'camera').setEnabled(false))
        await bob.until('no frames', (client) => client.isStill('alice', 'camera'))
      }
      await settle()

      const before = received.length
      for (const identity of ['observer-1', 'observer-2']) {
        const observer = await join(identity, { ...HIDDEN, options: RECEIVER })
        await observer.showsFrames('alice')
        await observer.run((client) => client.room.disconnect())
        await until({
          fact: `${identity} is gone`,
          read: () => api.listParticipants(room),
          holds: (listed) => listed.length === presentCount,
        })
        await settle()
      }
      await api.updateRoomMetadata(room, 'over')
      await until({
        fact: 'the end is reported',
        read: () => received.findLastIndex((line) => line.startsWith('roomUpdate ')),
        holds: (at) => at >= before,
      })
      const meanwhile = received.slice(before)
      await bob?.run((client) => client.remote('alice', 'camera').setEnabled(true))
      await bob?.showsFrames('alice')
      expect(meanwhile).toEqual([expect.stringMatching(/^roomUpdate .*"metadata":"over"/)])
    })
  })
})
