import type { LocalAudioTrack, RemoteAudioTrack } from 'livekit-client'

export interface CanvasTrack {
  track: MediaStreamTrack
  stop(): void
}

const CANVAS_FPS = 10

const SMALL = { width: 320, height: 180 }

/** A picture of one colour that keeps sending frames, of exactly this size. */
export function createCanvasTrack(colour: string, { width, height } = SMALL): CanvasTrack {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = contextOf(canvas)
  let frame = 0
  const paint = (): void => {
    frame += 1
    context.fillStyle = colour
    context.fillRect(0, 0, canvas.width, canvas.height)
    // A moving corner: a canvas that does not change sends nothing.
    context.fillStyle = frame % 2 === 0 ? 'black' : 'white'
    context.fillRect(0, 0, 8, 8)
  }
  paint()
  const timer = setInterval(paint, 1000 / CANVAS_FPS)
  const track = canvas.captureStream(CANVAS_FPS).getVideoTracks()[0]
  if (track === undefined) throw new Error('the canvas gives no track')
  return { track, stop: () => clearInterval(timer) }
}

const NOISE_FPS = 20
const NOISE = { width: 480, height: 270 }

/** A picture that no encoder can make small: it fills whatever the connection carries. */
export function createNoiseTrack(): MediaStreamTrack {
  const noise = document.createElement('canvas')
  noise.width = NOISE.width * 2
  noise.height = NOISE.height * 2
  const pixels = contextOf(noise).createImageData(noise.width, noise.height)
  for (let at = 0; at < pixels.data.length; at++) pixels.data[at] = Math.random() * 256
  contextOf(noise).putImageData(pixels, 0, 0)

  const canvas = document.createElement('canvas')
  canvas.width = NOISE.width
  canvas.height = NOISE.height
  const context = contextOf(canvas)
  setInterval(() => {
    context.drawImage(noise, -Math.random() * NOISE.width, -Math.random() * NOISE.height)
  }, 1000 / NOISE_FPS)
  const [track] = canvas.captureStream(NOISE_FPS).getVideoTracks()
  if (track === undefined) throw new Error('the canvas gives no track')
  return track
}

const FLASH_FPS = 30
const FLASH_MS = 200

/** A dark picture that flashes white while a tone sounds, again and again. */
export function createFlashBeep({ hz, everyMs }: { hz: number; everyMs: number }) {
  const audio = new AudioContext()
  const oscillator = audio.createOscillator()
  oscillator.frequency.value = hz
  const gain = audio.createGain()
  gain.gain.value = 0
  const output = audio.createMediaStreamDestination()
  oscillator.connect(gain).connect(output)
  oscillator.start()

  const canvas = document.createElement('canvas')
  canvas.width = 320
  canvas.height = 240
  const context = contextOf(canvas)
  const startedAt = performance.now()
  setInterval(() => {
    const isOn = (performance.now() - startedAt) % everyMs < FLASH_MS
    gain.gain.value = isOn ? 0.5 : 0
    context.fillStyle = isOn ? 'white' : 'rgb(60, 0, 0)'
    context.fillRect(0, 0, canvas.width, canvas.height)
  }, 1000 / FLASH_FPS)
  const [picture] = canvas.captureStream(FLASH_FPS).getVideoTracks()
  const [sound] = output.stream.getAudioTracks()
  if (picture === undefined || sound === undefined) throw new Error('no tracks')
  return { picture, sound }
}

/** A steady tone: loud enough, and long enough, to count as speech. */
export function createTone(hz = 440): MediaStreamTrack {
  const audio = new AudioContext()
  const oscillator = audio.createOscillator()
  oscillator.frequency.value = hz
  const output = audio.createMediaStreamDestination()
  oscillator.connect(output)
  oscillator.start()
  const track = output.stream.getAudioTracks()[0]
  if (track === undefined) throw new Error('the oscillator gives no track')
  return track
}

export function middleColour(video: HTMLVideoElement): [number, number, number] {
  const canvas = document.createElement('canvas')
  canvas.width = 16
  canvas.height = 16
  const context = contextOf(canvas)
  context.drawImage(video, 0, 0, 16, 16)
  const [red = 0, green = 0, blue = 0] = context.getImageData(8, 8, 1, 1).data
  return [red, green, blue]
}

/** Answers how many flashes of `createFlashBeep` the element has shown since now. */
export function watchFlashes(video: HTMLVideoElement): () => number {
  let seen = 0
  let wasLit = true
  const look = (): void => {
    const [, green] = middleColour(video)
    const isLit = green > 128
    if (isLit && !wasLit) seen++
    wasLit = isLit
    video.requestVideoFrameCallback(look)
  }
  video.requestVideoFrameCallback(look)
  return () => seen
}

export async function audioEnergy(
  track: LocalAudioTrack | RemoteAudioTrack | undefined,
): Promise<number> {
  const report = await track?.getRTCStatsReport()
  for (const row of report?.values() ?? []) {
    const { type, totalAudioEnergy } = row as { type: string; totalAudioEnergy?: number }
    if (type === 'inbound-rtp') return totalAudioEnergy ?? 0
  }
  return 0
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('the canvas has no context')
  return context
}
