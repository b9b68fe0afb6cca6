import type { ConnectionTestMediaBody } from '@interview-room/contract/connection-tests.ts'
import type { LineStats } from '../measurement/read-stats.ts'
import type { Ending } from './media-room.ts'

export type TestMediaAccess = ConnectionTestMediaBody['media']

/** Why a line could not be made, and how far it came. */
export class LineProblem extends Error {
  readonly reason: 'signaling_failed' | 'media_failed'
  /** How long signalling took; null when it failed. */
  readonly signalingMs: number | null

  constructor(reason: LineProblem['reason'], signalingMs: number | null, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
    this.signalingMs = signalingMs
  }
}

export interface Connected {
  signalingMs: number
  /** After signalling: until media went over both connections. */
  mediaMs: number
}

/** A picture to send, and what it may take. */
export interface PictureWish {
  track: MediaStreamTrack
  bitrateMaxBps: number
  frameRate: number
}

/** Two connections over the media server: what one sends comes back on the other. */
export interface TestLine {
  /** Connects both, and sends this voice. Throws LineProblem. */
  connect(access: TestMediaAccess, voice: MediaStreamTrack): Promise<Connected>
  /** Sends this picture. */
  sendPicture(wish: PictureWish): Promise<void>
  /** Sends this voice, in place of the one before. */
  replaceVoice(track: MediaStreamTrack): Promise<void>
  /** Sends these sounds besides, at a rate that does not give way; again with none to end it. */
  fillWith(sounds: readonly MediaStreamTrack[]): Promise<void>
  /**
   * Receives over TCP from here on. Milliseconds until media came again; null, and nothing changed, where
   * the media server does not offer TCP besides the UDP in use. Throws LineProblem when nothing comes.
   */
  receiveByTcp(): Promise<number | null>
  stats(): Promise<LineStats>
  /** How it came to its end, when it did. */
  ending(): Ending | null
  close(): Promise<void>
}
