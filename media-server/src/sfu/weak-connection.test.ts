import { TrackInfo, TrackSource, TrackType } from '@livekit/protocol'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { RTCPeerConnection, RtpHeader, RtpPacket } from 'werift'
import { EmulatedNetwork } from '../../test/faulty-server/emulated-network-transport.ts'
import { CLEAR_NETWORK, type NetworkSettings } from '../../test/faulty-server/emulated-network.ts'
import { PublishedTrack } from './published-track.ts'
import { Subscriber } from './subscriber.ts'

const WAIT = { timeout: 60_000, interval: 100 }
const TEST_TIMEOUT_MS = 300_000
const PACKET_INTERVAL_MS = 20
const REVIEW_INTERVAL_MS = 500
const POOR_KBPS = 150
const SOUND = Buffer.alloc(80)
// The beginning of a key frame, of which a picture of 400 kbit/s is made here.
const PICTURE = Buffer.concat([Buffer.from([0x10, 0x00]), Buffer.alloc(1000)])

const ends: (() => unknown)[] = []

afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

function every(intervalMs: number, act: () => void): void {
  const timer = setInterval(act, intervalMs)
  ends.push(() => clearInterval(timer))
}

/** A track that is being published, and how many packets were. */
function publish(
  sid: string,
  type: TrackType,
  { payload, isLost }: { payload: Buffer; isLost?: (sequenceNumber: number) => boolean },
): { track: PublishedTrack; sent: number } {
  const source = type === TrackType.AUDIO ? TrackSource.MICROPHONE : TrackSource.CAMERA
  const published = {
    track: new PublishedTrack(sid, new TrackInfo({ sid, type, source })),
    sent: 0,
  }
  every(PACKET_INTERVAL_MS, () => {
    const sequenceNumber = published.sent++ & 0xffff
    if (isLost?.(sequenceNumber) === true) return
    const header = new RtpHeader({ ssrc: 1, sequenceNumber, timestamp: sequenceNumber * 960 })
    published.track.receive(new RtpPacket(header, payload), '')
  })
  return published
}

/** A subscriber behind a network that the test sets, and what its client has received. */
async function connect(tracks: readonly PublishedTrack[]) {
  const network: { now: NetworkSettings } = { now: CLEAR_NETWORK }
  const received = { audio: 0, video: 0 }
  const client = new RTCPeerConnection({
    iceServers: [],
    iceAdditionalHostAddresses: ['127.0.0.1'],
  })
  client.onTrack.subscribe((track) => {
    const kind = track.kind === 'audio' ? 'audio' : 'video'
    track.onReceiveRtp.subscribe(() => received[kind]++)
  })
  const emulated = new EmulatedNetwork(
    () => network.now,
    () => {},
  )
  const subscriber = new Subscriber(
    {},
    {
      log: () => {},
      onSockets: (connection) => emulated.attach(connection),
      onActivity: () => {},
      onConnected: () => {
        if (subscriber.isChanged) void subscriber.negotiate()
      },
      onDataChannel: () => {},
      sendOffer: ({ sdp, id }) => void answer(sdp, id),
    },
  )
  ends.push(
    () => subscriber.close(),
    () => client.close(),
  )
  async function answer(sdp: string, id: number): Promise<void> {
    await client.setRemoteDescription({ type: 'offer', sdp })
    await client.setLocalDescription(await client.createAnswer())
    await subscriber.takeAnswer(client.localDescription?.sdp ?? '', id)
  }
  await subscriber.negotiate()
  for (const track of tracks) subscriber.add(track, { publisherSid: 'PA', isHidden: false })
  await subscriber.negotiate()
  await vi.waitFor(() => {
    expect(Math.min(received.audio, received.video)).toBeGreaterThan(50)
  }, WAIT)
  return { network, received, subscriber }
}

describe(
  'a connection that carries the audio but not the video',
  { timeout: TEST_TIMEOUT_MS },
  () => {
    test('is used for audio alone, until it carries both', async () => {
      const voice = publish('TR_AM', TrackType.AUDIO, { payload: SOUND })
      const picture = publish('TR_VC', TrackType.VIDEO, { payload: PICTURE })
      const { network, received, subscriber } = await connect([voice.track, picture.track])
      const changes: boolean[] = []
      every(REVIEW_INTERVAL_MS, () => {
        changes.push(...subscriber.adapt(true).map(({ isPaused }) => isPaused))
      })

      network.now = { ...CLEAR_NETWORK, kbps: POOR_KBPS }
      await vi.waitFor(() => expect(changes).toEqual([true]), WAIT)
      const before = { ...received, sent: voice.sent }
      await vi.waitFor(() => expect(voice.sent - before.sent).toBeGreaterThan(200), WAIT)
      const heard = (received.audio - before.audio) / (voice.sent - before.sent)
      expect(heard).toBeGreaterThan(0.9)
      expect(received.video - before.video).toBeLessThan(50)

      network.now = CLEAR_NETWORK
      await vi.waitFor(() => expect(changes).toEqual([true, false]), WAIT)
      const { video } = received
      await vi.waitFor(() => expect(received.video).toBeGreaterThan(video + 50), WAIT)
    })
  },
)

test(
  'a connection is not to blame for what is lost on the way from the publisher',
  async () => {
    const voice = publish('TR_AM', TrackType.AUDIO, {
      payload: SOUND,
      isLost: (sequenceNumber) => sequenceNumber % 4 === 0,
    })
    const picture = publish('TR_VC', TrackType.VIDEO, { payload: PICTURE })
    const { network, subscriber } = await connect([voice.track, picture.track])
    const shares = async () => {
      const { sent } = voice
      await vi.waitFor(() => expect(voice.sent - sent).toBeGreaterThan(200), WAIT)
      return subscriber.takeLossShare()
    }
    expect(await shares()).toBeLessThan(0.03)
    network.now = { ...CLEAR_NETWORK, lossRatio: 0.2 }
    await shares()
    expect(await shares()).toBeGreaterThan(0.1)
  },
  TEST_TIMEOUT_MS,
)
