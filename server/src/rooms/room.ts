import type {
  ArchiveMode,
  ArchiveResolution,
  RoomKind,
  RoomStatus,
  StreamFrameRate,
  StreamResolution,
  TranscriptionEngine,
} from '@interview-room/contract/vocabulary.ts'
import type { Session } from '../sessions/session.ts'

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
