import type { Fonts } from '@interview-room/composer/fonts.ts'
import type { TestClient } from '@interview-room/media-server/src/recorder/test-client.ts'
import type { Clock } from '../platform/lib/clock.ts'
import type { JoinOffer } from '../platform/media/livekit/probe-livekit.ts'
import type { Deps } from '../platform/ports/deps.ts'

export interface DoctorEgress {
  egressId: string
  recorder: string
}

/** Everything the checks of one run of the doctor share. */
export interface Diagnosis extends Pick<
  Deps,
  | 'db'
  | 'urgentDb'
  | 'media'
  | 'storage'
  | 'config'
  | 'clock'
  | 'secretBox'
  | 'serviceKeys'
  | 'metrics'
> {
  /** `clock` is this machine's. */
  databaseClock: Clock
  /** How long LiveKit's notification is waited for, in milliseconds. */
  notifiedMs: number
  findFonts: () => Fonts
  /** Name of the media room of this run. */
  room: string
  /** Factor of the time limits for media, 1 for a service. */
  patience: number
  /** How long a recorder that composes itself records, in milliseconds. */
  recordMs: number
  /** Clients that send media until the end. */
  clients: TestClient[]
  /** Everything that was recorded. */
  egresses: DoctorEgress[]
  /** Keys of the two objects of this run. */
  stored: string
  uploaded: string
  /** LiveKit's answer to a join, set when `livekit:signalling` passes. */
  offer?: JoinOffer
}
