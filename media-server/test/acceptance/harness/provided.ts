import 'vitest'

/** Values that the global set-up hands to every test file. */
export interface Stage {
  /** http address of the server under test. */
  url: string
  apiKey: string
  apiSecret: string
  isEmbedded: boolean
  /** Address for recordings: the server under test, or a recorder beside it. */
  egressUrl: string
  /** DevTools address of the one browser. */
  browserEndpoint: string
  /** The page that holds the unmodified livekit-client. */
  pageUrl: string
  /** Address of the webhook receiver; null when the server under test does not deliver to it. */
  webhookUrl: string | null
  /** True where a token alone makes its room, as set by the server's `room.auto_create`. */
  hasAutoCreate: boolean
  soakMinutes: number
  /** Folder in which the server under test writes recordings; null when it cannot, or not to here. */
  recordingsFolder: string | null
  /** LiveKit Egress works for it: it records into a bucket, and composes in a browser. */
  hasLiveKitEgress: boolean
}

declare module 'vitest' {
  interface ProvidedContext {
    stage: Stage
  }
}
