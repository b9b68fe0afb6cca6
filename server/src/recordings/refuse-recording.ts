import type { ErrorDetail } from '@interview-room/contract/errors.ts'
import type { Tx } from '../db/db.ts'
import { findMissingConsents } from '../facts/find-consent.ts'
import { refuseField, ServiceError } from '../lib/service-error.ts'
import { findRecordedRoom } from './running-store.ts'

/** As many as an error carries. */
const DETAILS_MAX = 50

/**
 * Throws 422 VALIDATION_ERROR where nothing may be recorded now: CONSENT_REQUIRED names everybody
 * inside who has not agreed, ROOM_EMPTY says that nobody is there. `isAnybodyHere`: the provider has
 * somebody whose entry is not noted yet. The room's lock is held.
 */
export async function refuseRecording(
  tx: Tx,
  roomId: string,
  { isAnybodyHere }: { isAnybodyHere: boolean },
): Promise<void> {
  const room = await findRecordedRoom(tx, roomId)
  if (room?.peopleInside === 0 && !isAnybodyHere) {
    throw refuseField('VALIDATION_ERROR', {
      field: 'room',
      code: 'ROOM_EMPTY',
      message: 'nobody who could be recorded is in the room',
    })
  }
  const { missing } = await findMissingConsents(tx, roomId)
  if (missing.length === 0) return
  const details = missing.slice(0, DETAILS_MAX).map(
    (identity): ErrorDetail => ({
      field: `participants.${identity}`,
      code: 'CONSENT_REQUIRED',
      message: 'has not agreed to be recorded',
    }),
  )
  throw new ServiceError('VALIDATION_ERROR', { details })
}
