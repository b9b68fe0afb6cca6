import type {
  ArchiveMode,
  ArchiveResolution,
  LiveTextAudience,
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
  /** Engines to try after that one; null for those of the tenant. */
  transcriptionFailover: TranscriptionEngine[] | null
  /** The narrower of this and the tenant's setting counts; null for that of the tenant. */
  liveText: LiveTextAudience | null
}

/** A room whose media room exists. Before that it is an intention, which is not visible. */
export interface Room extends RoomSettings {
  id: string
  tenantId: string
  /** The provider's id of the media room. Never published. */
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
 * Longest time from a booking's request to the provider's answer: up to 6 s of waiting for another booking of the same
 * reference, 3 s for the provider. A dead process left any older intention.
 */
const BOOKING_MAX_MS = 15_000

/** Intentions from before this moment have no living process. */
export function abandonedBefore(now: Date): Date {
  return new Date(now.getTime() - BOOKING_MAX_MS)
}
