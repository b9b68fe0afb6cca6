import type { RoomBody, RoomPatch, RoomSummary } from '@interview-room/contract/rooms.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Room, roomStatusOf } from './room.ts'
import { statusOf } from './session.ts'

type PresentConfig = Pick<Config, 'publicUrl' | 'livekit'>

export function presentRoom(
  room: Room,
  { config, now }: { config: PresentConfig; now: Date },
): RoomBody {
  return {
    id: room.id,
    kind: room.kind,
    status: roomStatusOf(room),
    archive_mode: room.archiveMode,
    archive_resolution: room.archiveResolution,
    transcription_language: room.transcriptionLanguage,
    transcription_service: room.transcriptionService,
    transcription_failover: room.transcriptionFailover,
    live_text: room.liveText,
    session: presentEmbeddedSession(room, now),
    stream_resolution: room.streamResolution,
    stream_frame_rate: room.streamFrameRate,
    connect_url: connectUrl(config, room.id),
    provider_inspector_url: inspectorUrl(config, room.mediaRoomSid),
    created_at: room.createdAt.toISOString(),
  }
}

/** The summary of a patched room, with the fields that the patch named. */
export function presentPatched(room: Room, patch: RoomPatch): RoomSummary {
  return {
    id: room.id,
    kind: room.kind,
    status: roomStatusOf(room),
    ...(patch.transcription_language === undefined
      ? {}
      : { transcription_language: room.transcriptionLanguage }),
    ...(patch.transcription_service === undefined
      ? {}
      : { transcription_service: room.transcriptionService }),
  }
}

/** The URL that opens the room's page. */
export function connectUrl({ publicUrl }: Pick<Config, 'publicUrl'>, roomId: string): string {
  return `${publicUrl}/r/${roomId}`
}

function presentEmbeddedSession({ session, closedAt }: Room, now: Date): RoomBody['session'] {
  if (session === null) return null
  return {
    id: session.id,
    external_type: session.externalType,
    external_id: session.externalId,
    starts_at: session.startsAt.toISOString(),
    ends_at: session.endsAt.toISOString(),
    status: statusOf({ ...session, roomClosedAt: closedAt }, now),
  }
}

/** The provider's diagnostic page of the media room; null if none is configured. */
export function inspectorUrl({ livekit }: Pick<Config, 'livekit'>, sid: string): string | null {
  return livekit.inspectorUrl?.replaceAll('{sid}', encodeURIComponent(sid)) ?? null
}
