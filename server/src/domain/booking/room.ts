import type {
  ArchiveMode,
  ArchiveResolution,
  RoomKind,
  RoomStatus,
  StreamFrameRate,
  StreamResolution,
  TranscriptionEngine,
} from '@interview-room/contract/vocabulary.ts'
import type { Session } from './session.ts'

export interface RoomSettings {
  kind: RoomKind
  archiveMode: ArchiveMode
  archiveResolution: ArchiveResolution
  streamResolution: StreamResolution
  streamFrameRate: StreamFrameRate
  /** One of `TRANSCRIPTION_LANGUAGES`, in its canonical spelling. */
  transcriptionLanguage: string
  transcriptionService: TranscriptionEngine
}

/** A room whose media room was made; before that it is an intention, which nobody sees. */
export interface Room extends RoomSettings {
  id: string
  tenantId: string
  /** The provider's id of the media room; never published as it is. */
  mediaRoomSid: string
  createdAt: Date
  closedAt: Date | null
  /** Null for rooms without a slot. */
  session: Session | null
}

export function roomStatusOf({ closedAt }: Pick<Room, 'closedAt'>): RoomStatus {
  return closedAt === null ? 'open' : 'closed'
}

/**
 * How long a booking may take from its request to the provider's answer: up to 6 s for another one of
 * the same reference, 3 s for the provider. An intention that is older was left by a process that died.
 */
const BOOKING_MAX_MS = 15_000

/** Intentions from before this moment are nobody's. */
export function abandonedBefore(now: Date): Date {
  return new Date(now.getTime() - BOOKING_MAX_MS)
}
