import type { ConnectionTestMediaBody } from '@interview-room/contract/connection-tests.ts'
import type { ConnectionStats } from '../measurement/read-stats.ts'
import type { Ending } from './media-room.ts'

export type TestMediaAccess = ConnectionTestMediaBody['media']

/** Why the connection failed, and how far it came. */
export class ConnectionProblem extends Error {
  readonly reason: 'signaling_failed' | 'media_failed'
  /** How long signalling took; null when it failed. */
  readonly signalingMs: number | null

  constructor(reason: ConnectionProblem['reason'], signalingMs: number | null, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
    this.signalingMs = signalingMs
  }
}

export interface ConnectTimes {
  signalingMs: number
  /** After signalling: until media went over both connections. */
  mediaMs: number
}

/** A video to send, and its limits. */
export interface VideoRequest {
  track: MediaStreamTrack
  bitrateMaxBps: number
  frameRate: number
}

/** Two connections over the media server: what one sends comes back on the other. */
export interface TestConnection {
  /** Connects both, and sends this voice. Throws ConnectionProblem. */
  connect(access: TestMediaAccess, voice: MediaStreamTrack): Promise<ConnectTimes>
  /** Sends this video. */
  sendVideo(wish: VideoRequest): Promise<void>
  /** Sends this voice, in place of the one before. */
  replaceVoice(track: MediaStreamTrack): Promise<void>
  /** Also sends these audio tracks, at a constant rate; call it with none to stop. */
  fillWith(sounds: readonly MediaStreamTrack[]): Promise<void>
  /**
   * Receives over TCP from here on. Milliseconds until media came again; null, and nothing changed, where
   * the media server does not offer TCP besides the UDP in use. Throws ConnectionProblem when nothing comes.
   */
  receiveByTcp(): Promise<number | null>
  stats(): Promise<ConnectionStats>
  /** How it came to its end, when it did. */
  ending(): Ending | null
  close(): Promise<void>
}
