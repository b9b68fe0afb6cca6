/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import * as livekit from 'livekit-client'
import { recordEvents } from './page-events.ts'
import {
  createCanvasTrack,
  createFlashBeep,
  createNoiseTrack,
  createTone,
  middleColour,
  audioEnergy,
  watchFlashes,
} from './page-media.ts'

export interface JoinRequest {
  url: string
  token: string
  options?: livekit.RoomOptions
  connect?: livekit.RoomConnectOptions
}

/** Tools of a test inside the page. */
export interface Client {
  livekit: typeof livekit
  room: livekit.Room
  /** Room events in order, as text: `<event> <identity> <details>`. */
  seen: string[]
  /** Readings that a test keeps between two of its steps. */
  notes: Record<string, unknown>
  join: (request: JoinRequest) => Promise<void>
  local: (source: string) => livekit.LocalTrackPublication
  remote: (identity: string, source: string) => livekit.RemoteTrackPublication
  hasRemote: (identity: string, source: string) => boolean
  videoOf: (identity: string, source: string) => HTMLVideoElement
  /** Frames the element showed so far; 0 while there is no track. */
  framesOf: (identity: string, source: string) => number
  /** True if two looks, STILL_MS apart, find no new frame. */
  isStill: (identity: string, source: string) => Promise<boolean>
  /** The colour in the middle of the picture. */
  colourOf: (identity: string, source: string) => [red: number, green: number, blue: number]
  /** How many flashes of `createFlashBeep` the element of a camera has shown since this was first asked. */
  flashesOf: (identity: string) => number
  /** Sound received so far, in the unit of the statistics; 0 while there is no track. */
  audioOf: (identity: string) => Promise<number>
  createCanvasTrack: typeof createCanvasTrack
  createFlashBeep: typeof createFlashBeep
  createNoiseTrack: typeof createNoiseTrack
  createTone: typeof createTone
}

const STILL_MS = 500

declare global {
  // The page owns this name: it is how the tests reach the client.
  var client: Client
}

const connections: RTCPeerConnection[] = []

/** Remembers every connection that the client library makes: it shows none that did not come up. */
globalThis.RTCPeerConnection = class extends RTCPeerConnection {
  constructor(configuration?: RTCConfiguration) {
    super(configuration)
    connections.push(this)
  }
}

function describeConnections(): string {
  return connections
    .map((pc) => {
      const candidates = [pc.localDescription, pc.remoteDescription].map(
        (description) => description?.sdp.match(/^a=candidate:/gm)?.length ?? 0,
      )
      const dtls = pc.sctp?.transport.state
      return `; connection ${pc.connectionState}, signalling ${pc.signalingState}, ICE ${pc.iceConnectionState}, DTLS ${dtls}, candidates ${candidates.join(' and ')}`
    })
    .join('')
}

function createClient(): Client {
  const seen: string[] = []
  const flashes = new Map<string, () => number>()
  const client: Client = {
    livekit,
    room: new livekit.Room(),
    seen,
    notes: {},
    async join({ url, token, options, connect }) {
      client.room = new livekit.Room({ disconnectOnPageLeave: true, ...options })
      recordEvents(client.room, seen)
      attachTracks(client.room)
      await client.room.connect(url, token, connect).catch((error: unknown) => {
        if (error instanceof Error) error.message += describeConnections()
        throw error
      })
    },
    local: (source) => found(localPublication(client.room, source), source),
    remote: (identity, source) => found(remotePublication(client.room, identity, source), source),
    hasRemote: (identity, source) => remotePublication(client.room, identity, source) !== undefined,
    videoOf: (identity, source) =>
      found(elementOf(client, identity, source), `video of ${identity}`),
    framesOf: (identity, source) => {
      const element = elementOf(client, identity, source)
      return element?.getVideoPlaybackQuality().totalVideoFrames ?? 0
    },
    isStill: async (identity, source) => {
      const { track } = client.remote(identity, source)
      const read = async (): Promise<number | undefined> =>
        track instanceof livekit.RemoteVideoTrack
          ? (await track.getReceiverStats())?.framesReceived
          : undefined
      const before = await read()
      await new Promise((resolve) => {
        setTimeout(resolve, STILL_MS)
      })
      return (await read()) === before
    },
    colourOf: (identity, source) => middleColour(client.videoOf(identity, source)),
    flashesOf: (identity) => {
      const count = flashes.get(identity) ?? watchFlashes(client.videoOf(identity, 'camera'))
      flashes.set(identity, count)
      return count()
    },
    audioOf: (identity) =>
      audioEnergy(remotePublication(client.room, identity, 'microphone')?.audioTrack),
    createCanvasTrack,
    createFlashBeep,
    createNoiseTrack,
    createTone,
  }
  return client
}

/** Tests name a source by its text, as the enumeration does on the wire. */
function isOf(source: string): (publication: { source: string }) => boolean {
  return (publication) => publication.source === source
}

function localPublication(
  room: livekit.Room,
  source: string,
): livekit.LocalTrackPublication | undefined {
  const all = [...room.localParticipant.trackPublications.values()]
  return all.find(isOf(source))
}

function remotePublication(
  room: livekit.Room,
  identity: string,
  source: string,
): livekit.RemoteTrackPublication | undefined {
  const all = room.remoteParticipants.get(identity)?.trackPublications.values() ?? []
  return [...all].find(isOf(source))
}

function elementOf(client: Client, identity: string, source: string): HTMLVideoElement | undefined {
  const track = remotePublication(client.room, identity, source)?.track
  return track?.attachedElements[0] as HTMLVideoElement | undefined
}

/** Shows every received track, as a room page would: adaptive streams depend on it. */
function attachTracks(room: livekit.Room): void {
  room.on(livekit.RoomEvent.TrackSubscribed, (track) => {
    const element = track.attach()
    element.style.width = '320px'
    document.body.append(element)
  })
  room.on(livekit.RoomEvent.TrackUnsubscribed, (track) => {
    for (const element of track.detach()) element.remove()
  })
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`the page has no ${what}`)
  return value
}

globalThis.client = createClient()
