import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  LocalVideoTrack,
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
import { test as base } from './fixtures.ts'
import { signToken } from './tokens.ts'

export type Enter = (identity: string, apiSecret?: string) => Promise<Room>

/** Enters rooms with the native client; what a test entered is left after it. */
export const test = base.extend('enter', ({ stage, room }, { onCleanup }): Enter => {
  const entered: Room[] = []
  onCleanup(async () => {
    await Promise.all(entered.map((client) => client.disconnect()))
  })
  return async (identity, apiSecret = stage.apiSecret) => {
    const token = await signToken({ apiKey: stage.apiKey, apiSecret }, { room, identity })
    const client = new Room()
    await client.connect(stage.url.replace(/^http/, 'ws'), token)
    entered.push(client)
    return client
  }
})

const SAMPLE_RATE = 48_000
const AUDIO_FRAME_MS = 20
const TONE_HZ = 440
const PICTURE = { width: 320, height: 240, everyMs: 66 }

export interface FirstFrame {
  identity: string
  width?: number
  height?: number
}

/** The first frame of the kind that arrives from anybody. */
export function firstFrame(room: Room, kind: 'audio' | 'video'): Promise<FirstFrame> {
  return new Promise((resolve, reject) => {
    room.on(RoomEvent.TrackSubscribed, (track, _, { identity }) => {
      const isVideo = track.kind === TrackKind.KIND_VIDEO
      if (isVideo !== (kind === 'video')) return
      const stream = isVideo ? new VideoStream(track) : new AudioStream(track)
      readOne(stream as ReadableStream<unknown>).then(
        (value) => resolve({ identity, ...sizeOf(value) }),
        reject,
      )
    })
  })
}

/** Publishes a tone as microphone; the answer ends it. */
export async function publishAudio(room: Room): Promise<() => Promise<void>> {
  const source = new AudioSource(SAMPLE_RATE, 1)
  const track = LocalAudioTrack.createAudioTrack('tone', source)
  await publish(room, track, TrackSource.SOURCE_MICROPHONE)
  const samples = (SAMPLE_RATE * AUDIO_FRAME_MS) / 1000
  let sent = 0

  return repeat(AUDIO_FRAME_MS, async () => {
    const data = Int16Array.from({ length: samples }, (_, index) => {
      return 12_000 * Math.sin((2 * Math.PI * TONE_HZ * (sent + index)) / SAMPLE_RATE)
    })
    sent += samples
    await source.captureFrame(new AudioFrame(data, SAMPLE_RATE, 1, samples))
  })
}

/** Publishes a picture that changes its colour as camera; the answer ends it. */
export async function publishVideo(room: Room): Promise<() => Promise<void>> {
  const source = new VideoSource(PICTURE.width, PICTURE.height)
  const track = LocalVideoTrack.createVideoTrack('picture', source)
  await publish(room, track, TrackSource.SOURCE_CAMERA)
  let frame = 0

  return repeat(PICTURE.everyMs, async () => {
    frame += 1
    const bytes = new Uint8Array(PICTURE.width * PICTURE.height * 4).fill(frame % 256)
    const { width, height } = PICTURE
    source.captureFrame(new VideoFrame(bytes, width, height, VideoBufferType.RGBA))
  })
}

async function publish(
  room: Room,
  track: LocalAudioTrack | LocalVideoTrack,
  source: TrackSource,
): Promise<void> {
  const options = new TrackPublishOptions({ source })
  await room.localParticipant?.publishTrack(track, options)
}

function repeat(everyMs: number, step: () => Promise<void>): () => Promise<void> {
  const end = new AbortController()
  const run = async (): Promise<void> => {
    while (!end.signal.aborted) {
      await step()
      await new Promise((resolve) => {
        setTimeout(resolve, everyMs)
      })
    }
  }
  const running = run()
  return async () => {
    end.abort()
    await running
  }
}

async function readOne(stream: ReadableStream<unknown>): Promise<unknown> {
  const reader = stream.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return value
}

function sizeOf(value: unknown): { width?: number; height?: number } {
  const { frame } = value as { frame?: VideoFrame }
  return frame === undefined ? {} : { width: frame.width, height: frame.height }
}
