import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  LocalVideoTrack,
  type RemoteTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
  VideoBufferType,
  VideoFrame,
  VideoSource,
  VideoStream,
} from '@livekit/rtc-node'

const SIZE = { width: 320, height: 240 }
const FRAME_INTERVAL_MS = 66
const SAMPLE_RATE = 48_000
const FRAMES_PER_SEC = 100
const SAMPLES_PER_FRAME = SAMPLE_RATE / FRAMES_PER_SEC

/** A headless participant that counts what it receives. */
export interface RtcClient {
  room: Room
  videoFrames: number
  /** Frames of shared screens, which are in `videoFrames` too. */
  screenFrames: number
  /** Frames of sound that are louder than silence. */
  audioFrames: number
  data: { topic: string | undefined; text: string; from: string | undefined }[]
  /** A camera, and a microphone that hears a tone. */
  publish(): Promise<void>
  /** Lying unless its size says otherwise. */
  publishCamera(size?: Size): Promise<void>
  /** Publishes a microphone that hears these samples (mono, 16 bits) and then silence. */
  say(samples: Int16Array, sampleRate: number): Promise<void>
  /** Publishes a microphone that hears these frames, each of 10 ms, as long as there are any. */
  play(frames: Iterable<Int16Array>, sampleRate: number): Promise<void>
  /** Shares a screen of one colour; answers how to end that. */
  shareScreen(colour: Colour): Promise<() => Promise<void>>
  leave(): Promise<void>
}

type Size = Record<'width' | 'height', number>
type Colour = Record<'r' | 'g' | 'b', number>

export async function connectRtcClient(url: string, token: string): Promise<RtcClient> {
  const room = new Room()
  let isOpen = true
  const client: RtcClient = {
    room,
    videoFrames: 0,
    screenFrames: 0,
    audioFrames: 0,
    data: [],
    async publish() {
      await publishCamera(room, () => isOpen)
      const source = await publishMicrophone(room, SAMPLE_RATE)
      void play(source, { frames: toneForever(), sampleRate: SAMPLE_RATE, isOpen: () => isOpen })
    },
    publishCamera: (size) => publishCamera(room, () => isOpen, size),
    async say(samples, sampleRate) {
      const source = await publishMicrophone(room, sampleRate)
      void play(source, { frames: framesOf(samples, sampleRate), sampleRate, isOpen: () => isOpen })
    },
    async play(frames, sampleRate) {
      const source = await publishMicrophone(room, sampleRate)
      void play(source, { frames, sampleRate, isOpen: () => isOpen })
    },
    shareScreen: (colour) => shareScreen(room, colour),
    async leave() {
      isOpen = false
      await room.disconnect()
    },
  }
  room.on(RoomEvent.TrackSubscribed, (track, { source }) => {
    // The track may be gone before its frames can be counted, such as when the room is being left.
    count(client, track, source === TrackSource.SOURCE_SCREENSHARE).catch(() => {})
  })
  room.on(RoomEvent.DataReceived, (...[payload, participant, , topic]) => {
    const text = new TextDecoder().decode(payload)
    client.data.push({ topic, text, from: participant?.identity })
  })
  await room.connect(url.replace('http', 'ws'), token, { autoSubscribe: true, dynacast: false })
  return client
}

async function count(client: RtcClient, track: RemoteTrack, isScreen: boolean): Promise<void> {
  if (track.kind === TrackKind.KIND_VIDEO) {
    for await (const { frame } of new VideoStream(track)) {
      if (frame.width === 0) continue
      client.videoFrames++
      if (isScreen) client.screenFrames++
    }
    return
  }
  for await (const frame of new AudioStream(track)) {
    if (frame.data.some((sample) => Math.abs(sample) > 500)) client.audioFrames++
  }
}

async function publishCamera(
  room: Room,
  isOpen: () => boolean,
  { width, height }: Size = SIZE,
): Promise<void> {
  const source = new VideoSource(width, height)
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_CAMERA, simulcast: false })
  const track = LocalVideoTrack.createVideoTrack('camera', source)
  await localParticipantOf(room).publishTrack(track, options)

  let shade = 0
  const timer = setInterval(() => {
    if (!isOpen()) return clearInterval(timer)
    shade = (shade + 9) % 256
    const pixels = new Uint8Array(width * height * 4).fill(shade)
    source.captureFrame(new VideoFrame(pixels, width, height, VideoBufferType.RGBA))
  }, FRAME_INTERVAL_MS)
}

async function shareScreen(room: Room, { r, g, b }: Colour): Promise<() => Promise<void>> {
  const { width, height } = SIZE
  const source = new VideoSource(width, height)
  const options = new TrackPublishOptions({
    source: TrackSource.SOURCE_SCREENSHARE,
    simulcast: false,
  })
  const track = LocalVideoTrack.createVideoTrack('screen', source)
  const { sid = '' } = await localParticipantOf(room).publishTrack(track, options)
  const pixels = new Uint8Array(width * height * 4).map((_, i) => [r, g, b, 255][i % 4] ?? 0)
  const timer = setInterval(() => {
    source.captureFrame(new VideoFrame(pixels, width, height, VideoBufferType.RGBA))
  }, FRAME_INTERVAL_MS)
  return async () => {
    clearInterval(timer)
    await localParticipantOf(room).unpublishTrack(sid)
  }
}

async function publishMicrophone(room: Room, sampleRate: number): Promise<AudioSource> {
  const source = new AudioSource(sampleRate, 1)
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE })
  const track = LocalAudioTrack.createAudioTrack('microphone', source)
  await localParticipantOf(room).publishTrack(track, options)
  return source
}

function localParticipantOf({ localParticipant }: Room) {
  if (localParticipant === undefined) throw new Error('not connected')
  return localParticipant
}

interface Playback {
  frames: Iterable<Int16Array>
  sampleRate: number
  isOpen: () => boolean
}

/** The source takes frames as fast as they are heard. */
async function play(source: AudioSource, { frames, sampleRate, isOpen }: Playback): Promise<void> {
  for (const frame of frames) {
    if (!isOpen()) return
    await source.captureFrame(new AudioFrame(frame, sampleRate, 1, frame.length))
  }
}

function* toneForever(): Generator<Int16Array> {
  const tone = Int16Array.from({ length: SAMPLES_PER_FRAME }, (_, i) => 8000 * Math.sin(i * 0.08))
  for (;;) yield tone
}

function* framesOf(samples: Int16Array, sampleRate: number): Generator<Int16Array> {
  const length = sampleRate / FRAMES_PER_SEC
  for (let at = 0; at < samples.length; at += length) {
    const frame = new Int16Array(length)
    frame.set(samples.subarray(at, at + length))
    yield frame
  }
  for (;;) yield new Int16Array(length)
}
