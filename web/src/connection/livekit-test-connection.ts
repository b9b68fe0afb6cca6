import { type LocalTrack, type RemoteTrack, Room, RoomEvent, Track } from 'livekit-client'
import { type ConnectionStats, readReceiving, type StatsEntry } from '../measurement/read-stats.ts'
import { endingOf } from './livekit-room.ts'
import type { Ending } from './media-room.ts'
import {
  type ConnectTimes,
  ConnectionProblem,
  type VideoRequest,
  type TestConnection,
  type TestMediaAccess,
} from './test-connection.ts'

const SIGNALING_TIMEOUT_MS = 8_000
const MEDIA_TIMEOUT_MS = 15_000
const TCP_TIMEOUT_MS = 8_000
const VOICE_BITRATE_BPS = 32_000
/** The maximum of the voice codec. A voice is sent at this rate, whatever the connection can carry. */
const FILLING_BITRATE_BPS = 510_000
const FILLING = 'filling'
const ROOM_OPTIONS = {
  adaptiveStream: false,
  dynacast: false,
  singlePeerConnection: false,
  disconnectOnPageLeave: true,
  stopLocalTrackOnUnpublish: false,
}

/** Two rooms of the provider's client: one publishes, and the other receives the same media. */
export class LivekitTestConnection implements TestConnection {
  readonly #sender = new Room(ROOM_OPTIONS)
  readonly #receiver = new Room(ROOM_OPTIONS)
  #ending: Ending | null = null
  #isClosing = false
  #voice: LocalTrack | undefined
  #filling: LocalTrack[] = []

  constructor() {
    for (const room of [this.#sender, this.#receiver]) {
      room.on(RoomEvent.Disconnected, (reason) => {
        if (!this.#isClosing) this.#ending ??= endingOf(reason)
      })
    }
    this.#receiver
      .on(RoomEvent.TrackSubscribed, playUnheard)
      .on(RoomEvent.TrackUnsubscribed, (track) => {
        for (const element of track.detach()) element.remove()
      })
  }

  async connect(access: TestMediaAccess, voice: MediaStreamTrack): Promise<ConnectTimes> {
    const beganMs = performance.now()
    let signalingMs: number | null = null
    this.#sender.once(RoomEvent.SignalConnected, () => {
      signalingMs ??= performance.now() - beganMs
    })
    try {
      await within(SIGNALING_TIMEOUT_MS + MEDIA_TIMEOUT_MS, this.#bringUp(access, voice))
    } catch (error) {
      throw new ConnectionProblem(
        signalingMs === null ? 'signaling_failed' : 'media_failed',
        signalingMs,
        error,
      )
    }
    if (signalingMs === null) throw new ConnectionProblem('signaling_failed', null)
    return { signalingMs, mediaMs: performance.now() - beganMs - signalingMs }
  }

  async #bringUp(access: TestMediaAccess, voice: MediaStreamTrack): Promise<void> {
    const limits = {
      maxRetries: 0,
      websocketTimeout: SIGNALING_TIMEOUT_MS,
      peerConnectionTimeout: MEDIA_TIMEOUT_MS,
    }
    const isHeard = new Promise<void>((resolve) => {
      this.#receiver.once(RoomEvent.TrackSubscribed, () => resolve())
    })
    await this.#sender.connect(access.url, access.publisher_token, limits)
    const [{ track }] = await Promise.all([
      this.#sender.localParticipant.publishTrack(voice, {
        source: Track.Source.Microphone,
        audioPreset: { maxBitrate: VOICE_BITRATE_BPS },
        // A voice with pauses, or with redundancy, would not measure the connection.
        dtx: false,
        red: false,
      }),
      this.#receiver.connect(access.url, access.subscriber_token, limits),
    ])
    this.#voice = track
    await isHeard
    await this.#untilReceived()
  }

  /** A track exists before its packets arrive. */
  async #untilReceived(protocol?: 'tcp'): Promise<void> {
    for (;;) {
      const { receiving } = await this.stats()
      const isReceived =
        receiving.some(
          (entry) => entry.type === 'inbound-rtp' && Number(entry['packetsReceived']) > 0,
        ) &&
        (protocol === undefined || readReceiving(receiving).downPath?.protocol === protocol)
      if (isReceived || this.#isClosing) return
      await new Promise((resolve) => {
        setTimeout(resolve, 100)
      })
    }
  }

  async fillWith(sounds: readonly MediaStreamTrack[]): Promise<void> {
    const { localParticipant } = this.#sender
    await Promise.all(
      this.#filling.map(async (each) => localParticipant.unpublishTrack(each, false)),
    )
    const published = await Promise.all(
      sounds.map(async (sound) =>
        localParticipant.publishTrack(sound, {
          name: FILLING,
          source: Track.Source.Microphone,
          audioPreset: { maxBitrate: FILLING_BITRATE_BPS },
          dtx: false,
          red: false,
        }),
      ),
    )
    this.#filling = published.flatMap(({ track }) => track ?? [])
  }

  async sendVideo({ track, bitrateMaxBps, frameRate }: VideoRequest): Promise<void> {
    await this.#sender.localParticipant.publishTrack(track, {
      source: Track.Source.Camera,
      simulcast: false,
      videoCodec: 'vp8',
      backupCodec: false,
      videoEncoding: { maxBitrate: bitrateMaxBps, maxFramerate: frameRate, priority: 'low' },
    })
  }

  async replaceVoice(track: MediaStreamTrack): Promise<void> {
    await this.#voice?.replaceTrack(track, true)
  }

  async receiveByTcp(): Promise<number | null> {
    if (!(await this.#couldReceiveByTcp())) return null
    const beganMs = performance.now()
    try {
      await within(TCP_TIMEOUT_MS, this.#changeToTcp())
    } catch (error) {
      throw new ConnectionProblem('media_failed', null, error)
    }
    return performance.now() - beganMs
  }

  async #couldReceiveByTcp(): Promise<boolean> {
    const { receiving } = await this.stats()
    if (readReceiving(receiving).downPath?.protocol !== 'udp') return false
    const offered = this.#receiver.engine.pcManager?.subscriber?.getRemoteDescription()
    return /^a=candidate:\S+ \d+ tcp .*tcptype passive/imu.test(offered?.sdp ?? '')
  }

  /** The client has no other way to make the server avoid UDP. Its own protocol check does the same. */
  async #changeToTcp(): Promise<void> {
    const isBack = new Promise<void>((resolve, reject) => {
      this.#receiver.once(RoomEvent.Reconnected, () => resolve())
      this.#receiver.once(RoomEvent.Disconnected, () => reject(new Error('not connected again')))
    })
    await this.#receiver.simulateScenario('force-tcp')
    await isBack
    await this.#untilReceived('tcp')
  }

  async stats(): Promise<ConnectionStats> {
    const sent = [...this.#sender.localParticipant.trackPublications.values()]
    const received = [...this.#receiver.remoteParticipants.values()].flatMap((participant) => [
      ...participant.trackPublications.values(),
    ])
    const [sending, receiving, fillingSent, fillingReceived] = await Promise.all([
      entriesOf(sent.filter(isOrdinary)),
      entriesOf(received.filter(isOrdinary)),
      entriesOf(sent.filter(isFilling)),
      entriesOf(received.filter(isFilling)),
    ])
    const filling = { sending: fillingSent, receiving: fillingReceived }
    return { sending, receiving, filling }
  }

  ending(): Ending | null {
    return this.#ending
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.all([this.#sender.disconnect(false), this.#receiver.disconnect()])
  }
}

interface CountedTrack {
  trackName: string
  track?: { getRTCStatsReport(): Promise<RTCStatsReport | undefined> } | undefined
}

const isFilling = ({ trackName }: CountedTrack): boolean => trackName === FILLING
const isOrdinary = (each: CountedTrack): boolean => !isFilling(each)

/** Tracks of one connection report the same entries, so each entry is taken once. */
async function entriesOf(publications: readonly CountedTrack[]): Promise<StatsEntry[]> {
  const reports = await Promise.all(
    publications.map(async ({ track }) => track?.getRTCStatsReport()),
  )
  const byId = new Map<string, StatsEntry>()
  for (const report of reports) {
    for (const [id, entry] of report ?? []) byId.set(id, entry as StatsEntry)
  }
  return [...byId.values()]
}

/** Frames are counted and voices buffered only while an element plays them. */
function playUnheard(track: RemoteTrack): void {
  const element = track.attach()
  element.muted = true
  element.hidden = true
  document.body.append(element)
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const isLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it took too long')), limitMs)
  })
  try {
    return await Promise.race([work, isLate])
  } finally {
    clearTimeout(timer)
  }
}
