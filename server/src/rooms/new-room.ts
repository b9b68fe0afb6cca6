import type { ErrorDetail } from '@interview-room/contract/errors.ts'
import {
  DEFAULT_ENGINE,
  DEFAULT_LANGUAGE,
  SLOT_MAX_SEC,
  TRANSCRIPTION_LANGUAGES,
} from '@interview-room/contract/limits.ts'
import type { NewRoom } from '@interview-room/contract/rooms.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Session } from '../sessions/session.ts'
import type { RoomSettings } from './room.ts'

export type NewSlot = Pick<Session, 'externalType' | 'externalId' | 'name' | 'startsAt' | 'endsAt'>

/** What the contract gives a room that says nothing: "Rooms", body of `POST /rooms`. */
export function settingsOf(body: NewRoom): RoomSettings {
  return {
    kind: body.kind,
    archiveMode: body.archive_mode ?? 'always',
    archiveResolution: body.archive_resolution ?? '640x480',
    streamResolution: body.stream_resolution ?? '320x240',
    streamFrameRate: body.stream_frame_rate ?? 15,
    transcriptionLanguage: canonicalLanguage(body.transcription_language ?? DEFAULT_LANGUAGE),
    transcriptionService: body.transcription_service ?? DEFAULT_ENGINE,
  }
}

/** The canonical spelling of an allowed language, found without case. Throws 400. */
function canonicalLanguage(code: string): string {
  const wanted = code.toLowerCase()
  const found = TRANSCRIPTION_LANGUAGES.find((language) => language.toLowerCase() === wanted)
  if (found !== undefined) return found
  throw new ServiceError('INVALID_REQUEST', {
    details: [
      {
        field: 'transcription_language',
        code: 'INVALID_ENUM',
        message: `must be one of ${TRANSCRIPTION_LANGUAGES.join(', ')}`,
      },
    ],
  })
}

/** Throws 422 INVALID_TIME_WINDOW with every rule that the slot breaks. */
export function refuseImpossibleSlot(slot: Pick<NewSlot, 'startsAt' | 'endsAt'>, now: Date): void {
  const { startsAt, endsAt } = slot
  const field = 'session.ends_at'
  const details: ErrorDetail[] = []
  if (endsAt <= startsAt) {
    details.push({ field, code: 'BEFORE_STARTS_AT', message: 'must be after starts_at' })
  }
  if (endsAt <= now) {
    details.push({ field, code: 'IN_PAST', message: 'must be in the future' })
  }
  if (endsAt.getTime() - startsAt.getTime() > SLOT_MAX_SEC * 1000) {
    details.push({ field, code: 'SLOT_TOO_LONG', message: 'must be at most 24 hours later' })
  }
  if (details.length > 0) throw new ServiceError('INVALID_TIME_WINDOW', { details })
}

// oxlint-disable-next-line no-control-regex -- finding them is the point
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** Throws 400 for control characters: the texts are kept as they were given, and shown to people. */
export function refuseControlCharacters(slot: NewSlot): void {
  const texts = [
    ['session.external_type', slot.externalType],
    ['session.external_id', slot.externalId],
    ['session.name', slot.name ?? ''],
  ] as const
  const details = texts
    .filter(([, text]) => CONTROL.test(text))
    .map(([field]): ErrorDetail => {
      return { field, code: 'INVALID_FORMAT', message: 'must not hold control characters' }
    })
  if (details.length > 0) throw new ServiceError('INVALID_REQUEST', { details })
}
