import type { ConnectionTestMediaBody } from '@interview-room/contract/connection-tests.ts'
import type { ConnectionStats } from '../measurement/read-stats.ts'
import type { Ending } from './media-room.ts'

export type TestMediaAccess = ConnectionTestMediaBody['media']

/** The reason why the connection failed, and how far it got. */
export class ConnectionProblem extends Error {
  readonly reason: 'signaling_failed' | 'media_failed'
  /** Duration of signalling; null if it failed. */
  readonly signalingMs: number | null

  constructor(reason: ConnectionProblem['reason'], signalingMs: number | null, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
    this.signalingMs = signalingMs
  }
}

export interface ConnectTimes {
  signalingMs: number
  /** Time from the end of signalling until media flows over both connections. */
  mediaMs: number
}

/** A video to send, and its limits. */
export interface VideoRequest {
  track: MediaStreamTrack
  bitrateMaxBps: number
  frameRate: number
}

/** Two connections to the media server: one sends, and the other receives the same media. */
export interface TestConnection {
  /** Connects both and sends this voice. Throws ConnectionProblem. */
  connect(access: TestMediaAccess, voice: MediaStreamTrack): Promise<ConnectTimes>
  /** Sends this video. */
  sendVideo(wish: VideoRequest): Promise<void>
  /** Replaces the voice that is sent. */
  replaceVoice(track: MediaStreamTrack): Promise<void>
  /** Also sends these audio tracks at a constant rate. An empty list stops them. */
  fillWith(sounds: readonly MediaStreamTrack[]): Promise<void>
  /**
   * Receives over TCP from now on. Returns the milliseconds until media arrives again. Returns null, and changes
   * nothing, if the media server does not offer TCP besides the UDP in use. Throws ConnectionProblem if no media
   * arrives.
   */
  receiveByTcp(): Promise<number | null>
  stats(): Promise<ConnectionStats>
  /** The way in which it ended; null while it is up. */
  ending(): Ending | null
  close(): Promise<void>
}
