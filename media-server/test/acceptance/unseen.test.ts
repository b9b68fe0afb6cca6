import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { differencesOf, lookAt } from './harness/compare-looks.ts'
import { test } from './harness/fixtures.ts'
import type { Client } from './harness/page.ts'
import { type ReceivedMessage, recordSignalMessages } from './harness/signal-messages.ts'
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

/** livekit-server reports arrivals every five seconds, if they are still there. */
const LOOKS = { embedded: { times: 7, lookMs: 1500 }, foreign: { times: 10, lookMs: 6000 } }

const isEnd = ({ kind, content }: ReceivedMessage): boolean =>
  kind === 'roomUpdate' && content.includes('"metadata":"over"')

describe.concurrent('hidden arrivals change nothing that a publisher receives', () => {
  describe.each([
    { what: 'who is alone', hasCompany: false, namesLayers: false },
    { what: 'with somebody whose tab is hidden', hasCompany: true, namesLayers: false },
    { what: 'who names layers', hasCompany: false, namesLayers: true },
  ])('$what', ({ hasCompany, namesLayers }) => {
    test(
      'messages of each kind come as often, and at the same times',
      { timeout: 600_000 },
      async ({ stage, open, join, mask, token, api, room, skip }) => {
        skip(
          !stage.isEmbedded && namesLayers,
          'livekit-server reports whether named layers are received',
        )
        const alice = await open()
        const received = recordSignalMessages(alice)
        await alice.run((client, entry) => client.join(entry), {
          url: stage.url,
          token: await token('alice'),
          options: PAGE,
        })
        // As the service does, beside livekit-server.
        if (!stage.isEmbedded) mask()
        if (!namesLayers) await alice.run(publishWithoutLayers)
        await alice.run(async (client) => {
          await client.room.localParticipant.setCameraEnabled(true)
          await client.room.localParticipant.setMicrophoneEnabled(true)
        })
        const bob = hasCompany ? await join('bob', { options: RECEIVER }) : undefined
        if (bob !== undefined) {
          await bob.showsFrames('alice')
          await bob.run((client) => client.remote('alice', 'camera').setEnabled(false))
          await bob.until('no frames', (client) => client.isStill('alice', 'camera'))
        }
        // Our own server waits for nothing.
        const settle = async (): Promise<void> => {
          if (!stage.isEmbedded) await sleep(SETTLING_MS)
        }
        await settle()

        const looking = { received, ...LOOKS[stage.isEmbedded ? 'embedded' : 'foreign'] }
        const quietFrom = received.length
        const quiet = await lookAt({ ...looking, during: async () => async () => {} })
        const arrivalsFrom = received.length
        const observer = await open()
        const entry = { url: stage.url, token: await token('observer', HIDDEN), options: RECEIVER }
        const arrivals = await lookAt({
          ...looking,
          during: async () => {
            await observer.run((client, request) => client.join(request), entry)
            await observer.showsFrames('alice')
            return async () => {
              await observer.run((client) => client.room.disconnect())
              await until({
                fact: 'the observer is gone',
                read: () => api.listParticipants(room),
                holds: (listed) => listed.every(({ identity }) => identity !== 'observer'),
              })
            }
          },
        })
        await settle()
        await api.updateRoomMetadata(room, 'over')
        await until({
          fact: 'the end is reported',
          read: () => received.findIndex(isEnd),
          holds: (at) => at >= arrivalsFrom,
        })
        await bob?.run((client) => client.remote('alice', 'camera').setEnabled(true))
        await bob?.showsFrames('alice')

        const quietKinds = new Set(received.slice(quietFrom, arrivalsFrom).map(({ kind }) => kind))
        const meanwhile = received.slice(arrivalsFrom, received.findIndex(isEnd))
        expect(meanwhile.filter(({ kind }) => !quietKinds.has(kind))).toEqual([])
        expect(differencesOf(quiet, arrivals)).toEqual([])
      },
    )
  })
})
