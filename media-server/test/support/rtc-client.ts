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

const WIDTH = 320
const HEIGHT = 240
const FRAME_INTERVAL_MS = 66
const SAMPLE_RATE = 48_000
const SAMPLES_PER_FRAME = 480

/** A headless participant that counts what it receives. */
export interface RtcClient {
  room: Room
  videoFrames: number
  /** Frames of sound that are louder than silence. */
  audioFrames: number
  data: { topic: string | undefined; text: string; from: string | undefined }[]
  publish(): Promise<void>
  leave(): Promise<void>
}

export async function connectRtcClient(url: string, token: string): Promise<RtcClient> {
  const room = new Room()
  let isOpen = true
  const client: RtcClient = {
    room,
    videoFrames: 0,
    audioFrames: 0,
    data: [],
    publish: () => publish(room, () => isOpen),
    async leave() {
      isOpen = false
      await room.disconnect()
    },
  }
  room.on(RoomEvent.TrackSubscribed, (track) => void count(client, track))
  room.on(RoomEvent.DataReceived, (...[payload, participant, , topic]) => {
    const text = new TextDecoder().decode(payload)
    client.data.push({ topic, text, from: participant?.identity })
  })
  await room.connect(url.replace('http', 'ws'), token, { autoSubscribe: true, dynacast: false })
  return client
}

async function count(client: RtcClient, track: RemoteTrack): Promise<void> {
  if (track.kind === TrackKind.KIND_VIDEO) {
    for await (const { frame } of new VideoStream(track))
      client.videoFrames += frame.width > 0 ? 1 : 0
    return
  }
  for await (const frame of new AudioStream(track)) {
    if (frame.data.some((sample) => Math.abs(sample) > 500)) client.audioFrames++
  }
}

async function publish(room: Room, isOpen: () => boolean): Promise<void> {
  const { localParticipant } = room
  if (localParticipant === undefined) throw new Error('not connected')

  const video = new VideoSource(WIDTH, HEIGHT)
  const camera = new TrackPublishOptions({ source: TrackSource.SOURCE_CAMERA, simulcast: false })
  const cameraTrack = LocalVideoTrack.createVideoTrack('camera', video)
  await localParticipant.publishTrack(cameraTrack, camera)
  const audio = new AudioSource(SAMPLE_RATE, 1)
  const microphone = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE })
  const microphoneTrack = LocalAudioTrack.createAudioTrack('microphone', audio)
  await localParticipant.publishTrack(microphoneTrack, microphone)

  let shade = 0
  const timer = setInterval(() => {
    if (!isOpen()) return clearInterval(timer)
    shade = (shade + 9) % 256
    const pixels = new Uint8Array(WIDTH * HEIGHT * 4).fill(shade)
    video.captureFrame(new VideoFrame(pixels, WIDTH, HEIGHT, VideoBufferType.RGBA))
  }, FRAME_INTERVAL_MS)
  void speak(audio, isOpen)
}

async function speak(source: AudioSource, isOpen: () => boolean): Promise<void> {
  const tone = Int16Array.from({ length: SAMPLES_PER_FRAME }, (_, i) => 8000 * Math.sin(i * 0.08))
  while (isOpen()) {
    await source.captureFrame(new AudioFrame(tone, SAMPLE_RATE, 1, SAMPLES_PER_FRAME))
  }
}
