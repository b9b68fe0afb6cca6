import type { Surroundings } from './browser.ts'

/** Scripts by which a page meets devices that are refused, taken or absent. */
export const DEVICES = {
  denied: refusingDevices('NotAllowedError'),
  busy: refusingDevices('NotReadableError'),
  missing: refusingDevices('NotFoundError'),
}

const NO_DEVICES = 'delete Navigator.prototype.mediaDevices'

/** Devices as people have them: the false ones are called after files of this machine. */
export const NAMED_DEVICES = `{
  const NAMES = { videoinput: '内蔵カメラ', audioinput: '内蔵マイク', audiooutput: '内蔵スピーカー' }
  const list = MediaDevices.prototype.enumerateDevices
  MediaDevices.prototype.enumerateDevices = async function () {
    const devices = await list.call(this)
    const first = Object.keys(NAMES).flatMap((kind) => devices.find((each) => each.kind === kind) ?? [])
    return first.map(({ kind, deviceId, groupId, label }) => ({
      kind, deviceId, groupId, label: label === '' ? '' : NAMES[kind],
    }))
  }
  Object.defineProperty(MediaStreamTrack.prototype, 'label', {
    get() { return this.kind === 'video' ? NAMES.videoinput : NAMES.audioinput },
  })
}`

/** Browsers in which an interview cannot be held. */
export const BROWSERS = {
  old: { before: NO_DEVICES },
  inApp: {
    before: NO_DEVICES,
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari Line/14.1',
  },
  insecure: {
    before: `${NO_DEVICES}; Object.defineProperty(globalThis, 'isSecureContext', { value: false })`,
  },
} satisfies Record<string, Surroundings>

/** A microphone into which somebody speaks without a pause. */
export const SPEAKING = `{
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  navigator.mediaDevices.getUserMedia = async (wish) => {
    const stream = await ask(wish)
    if (!wish.audio) return stream
    const sound = new AudioContext()
    const voice = new OscillatorNode(sound, { frequency: 220 })
    const out = sound.createMediaStreamDestination()
    voice.connect(out)
    voice.start()
    return new MediaStream([...stream.getVideoTracks(), ...out.stream.getAudioTracks()])
  }
}`

/** A microphone that is switched off at the device: it sends only zeros, until `switchOn()`. */
export const SWITCHED_OFF = `{
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  const switches = []
  navigator.mediaDevices.getUserMedia = async (wish) => {
    const stream = await ask(wish)
    if (!wish.audio) return stream
    const sound = new AudioContext()
    const voice = new OscillatorNode(sound, { frequency: 220 })
    const muted = new GainNode(sound, { gain: 0 })
    const out = sound.createMediaStreamDestination()
    voice.connect(muted).connect(out)
    voice.start()
    switches.push(muted.gain)
    return new MediaStream([...stream.getVideoTracks(), ...out.stream.getAudioTracks()])
  }
  globalThis.switchOn = () => {
    for (const gain of switches) gain.value = 1
  }
}`

/** A connection that can be cut: after `cutConnection()` every connection is gone, and none comes up again. */
export const CUTTABLE = `{
  const Original = WebSocket
  const sockets = []
  let isCut = false
  globalThis.WebSocket = class extends Original {
    constructor(url, protocols) {
      super(isCut ? 'ws://127.0.0.1:9' : url, protocols)
      sockets.push(this)
    }
  }
  globalThis.cutConnection = () => {
    isCut = true
    for (const socket of sockets) socket.close()
  }
}`

/** A live stream of a room or of the board: after `cutStream()`, neither it nor its changes can be read. */
export const CUT_STREAM = `{
  const ask = globalThis.fetch.bind(globalThis)
  const cutting = new AbortController()
  globalThis.fetch = (url, wish) =>
    /\\/(stream|changes)(\\?|$)/.test(String(url))
      ? ask(url, { ...wish, signal: cutting.signal })
      : ask(url, wish)
  globalThis.cutStream = () => cutting.abort()
}`

/** Rewrites the live stream of a page: `change` maps the data of each event. */
export function mapEvents(change: string): string {
  return `{
    const ask = globalThis.fetch.bind(globalThis)
    const change = ${change}
    const rewritten = (line) => 'data: ' + JSON.stringify(change(JSON.parse(line.slice(6))))
    globalThis.fetch = async (...request) => {
      const answer = await ask(...request)
      if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
      let kept = ''
      const lines = new TransformStream({
        transform(text, out) {
          const parts = (kept + text).split('\\n')
          kept = parts.pop()
          for (const line of parts) {
            out.enqueue((line.startsWith('data: ') ? rewritten(line) : line) + '\\n')
          }
        },
      })
      const { status, headers, body } = answer
      const text = body.pipeThrough(new TextDecoderStream()).pipeThrough(lines)
      return new Response(text.pipeThrough(new TextEncoderStream()), { status, headers })
    }
  }`
}

function refusingDevices(name: string): string {
  return `navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', '${name}') }`
}

/** Browsers with a floating window for videos, as they say and do it, and without. */
export const FLOATING = {
  present: `
    let floating = null
    Object.defineProperty(document, 'pictureInPictureEnabled', { get: () => true })
    Object.defineProperty(document, 'pictureInPictureElement', { get: () => floating })
    HTMLVideoElement.prototype.requestPictureInPicture = async function () {
      floating = this
      this.dispatchEvent(new Event('enterpictureinpicture'))
    }
    Document.prototype.exitPictureInPicture = async () => {
      const left = floating
      floating = null
      left?.dispatchEvent(new Event('leavepictureinpicture'))
    }
  `,
  absent: `Object.defineProperty(document, 'pictureInPictureEnabled', { get: () => undefined })`,
}

/** Some systems name a device by its maker, its chip and its driver. */
export const LONG_DEVICE_NAMES = `{
  const label = 'マイク配列 (スマート・サウンド・テクノロジー) Smart Sound Technology for Digital Devices'
  const { enumerateDevices } = MediaDevices.prototype
  MediaDevices.prototype.enumerateDevices = async function () {
    const devices = await enumerateDevices.call(this)
    return devices.map(({ deviceId, groupId, kind }) => ({ deviceId, groupId, kind, label }))
  }
}`
