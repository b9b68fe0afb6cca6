import type { RoomPatch } from '@interview-room/contract/rooms.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { refuseImmutable } from '../../platform/lib/merge-patch.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { RoomKey } from '../room-log/room-lock.ts'
import { canonicalLanguage } from './new-room.ts'
import { findRoom, findLockedRoom, updateTranscription } from './room-store.ts'
import type { Room } from './room.ts'

/**
 * Changes the defaults for the room's later transcriptions. Existing transcriptions stay as they are. Throws 400
 * INVALID_REQUEST, 404 NOT_FOUND, 409 ROOM_CLOSED, 422 IMMUTABLE_FIELD.
 */
export async function patchRoom(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  key: RoomKey,
  patch: RoomPatch,
): Promise<Room> {
  const language =
    patch.transcription_language === undefined
      ? undefined
      : canonicalLanguage(patch.transcription_language, config.transcription.languages)
  return inTransaction(db, async (tx) => {
    if ((await findLockedRoom(tx, key)) === undefined) throw new ServiceError('NOT_FOUND')
    const room = await findRoom(tx, key)
    if (room === undefined) throw new ServiceError('NOT_FOUND')
    if (room.closedAt !== null) throw new ServiceError('ROOM_CLOSED')
    refuseImmutable(patch, {
      archive_mode: room.archiveMode,
      archive_resolution: room.archiveResolution,
      stream_resolution: room.streamResolution,
      stream_frame_rate: room.streamFrameRate,
    })
    const service = patch.transcription_service
    await updateTranscription(tx, key, { language, service })
    return {
      ...room,
      ...(language === undefined ? {} : { transcriptionLanguage: language }),
      ...(service === undefined ? {} : { transcriptionService: service }),
    }
  })
}
