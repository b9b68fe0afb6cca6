import { DEFAULT_ENGINE, DEFAULT_LANGUAGE } from '@interview-room/contract/limits.ts'
import type { RoomRequest } from '@interview-room/contract/rooms.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import type { RoomSettings } from './room.ts'

/** Fills in the defaults of the contract: "Rooms", body of `POST /rooms`. Throws 400. */
export function settingsOf(body: RoomRequest, languages: readonly string[]): RoomSettings {
  const service = body.transcription_service ?? DEFAULT_ENGINE
  const failover = body.transcription_failover ?? null
  if (failover?.includes(service)) {
    throw refuseField('INVALID_REQUEST', {
      field: 'transcription_failover',
      code: 'DUPLICATE',
      message: `must not name ${service}, which is tried first as transcription_service`,
    })
  }
  return {
    kind: body.kind,
    archiveMode: body.archive_mode ?? 'always',
    archiveResolution: body.archive_resolution ?? '640x480',
    streamResolution: body.stream_resolution ?? '320x240',
    streamFrameRate: body.stream_frame_rate ?? 15,
    transcriptionLanguage: canonicalLanguage(
      body.transcription_language ?? DEFAULT_LANGUAGE,
      languages,
    ),
    transcriptionService: service,
    transcriptionFailover: failover,
    liveText: body.live_text ?? null,
  }
}

/** The canonical spelling of an allowed language, matched case-insensitively. Throws 400. */
export function canonicalLanguage(
  code: string,
  allowed: readonly string[],
  field = 'transcription_language',
): string {
  const wanted = code.toLowerCase()
  const found = allowed.find((language) => language.toLowerCase() === wanted)
  if (found !== undefined) return found
  throw new ServiceError('INVALID_REQUEST', {
    details: [
      {
        field,
        code: 'INVALID_ENUM',
        message: `must be one of: ${allowed.join(', ')}`,
      },
    ],
  })
}
