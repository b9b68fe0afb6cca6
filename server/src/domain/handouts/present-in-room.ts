import type { Playback } from '@interview-room/contract/live-moderation.ts'
import type { Query, Tx } from '../../platform/db/db.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoom, LockedRoomKey } from '../room-log/room-lock.ts'
import type { Handout } from './handout.ts'
import { insertPresentation } from './presentation-store.ts'
import { findHandout, findShownHandout, type HandoutKey } from './store.ts'

/** A handout with its locked room. */
export type HandoutInRoom = HandoutKey & LockedRoom

/** Presents the handout instead of the previous one. A repeat changes nothing. Throws 404 NOT_FOUND. */
export async function showHandout(tx: Tx, key: HandoutInRoom): Promise<void> {
  const handout = await findInRoom(tx, key)
  const { id } = handout
  const shown = await findShownHandout(tx, key.roomId)
  if (shown?.handout.id === id) return
  if (shown !== undefined) await appendHide(tx, key, shown.handout)
  // The handout may be renamed or deleted later.
  const payload = { handout_id: id, title: handout.title, file_name: handout.fileName }
  const { seq } = await appendRoomEvent(tx, { ...key, eventType: 'handout.show', payload })
  await insertPresentation(tx, handout, seq)
  await publishLiveEvent(tx, key, { name: 'presentation' })
}

/** Hides the handout if it is the presented one. A repeat changes nothing. Throws 404 NOT_FOUND. */
export async function hideHandout(tx: Tx, key: HandoutInRoom): Promise<void> {
  const { id } = await findInRoom(tx, key)
  const shown = await findShownHandout(tx, key.roomId)
  if (shown?.handout.id !== id) return
  await appendHide(tx, key, shown.handout)
  await publishLiveEvent(tx, key, { name: 'presentation' })
}

/**
 * Stores the position of the presented video for everybody to follow. Throws 404 NOT_FOUND, 422 VALIDATION_ERROR for a
 * picture and for a handout that is not presented.
 */
export async function movePlayback(tx: Tx, key: HandoutInRoom, playback: Playback): Promise<void> {
  const { id, contentType } = await findInRoom(tx, key)
  const shown = await findShownHandout(tx, key.roomId)
  if (contentType !== 'video' || shown?.handout.id !== id) throw noVideoShown()
  await appendRoomEvent(tx, {
    ...key,
    eventType: 'handout.playback',
    payload: {
      handout_id: id,
      position_sec: playback.position_sec,
      is_playing: playback.is_playing,
    },
  })
  await publishLiveEvent(tx, key, { name: 'presentation' })
}

/**
 * Ends the presentation in a room that closes. Otherwise nobody could hide it, so the handout could never be replaced or
 * deleted.
 */
export async function hideForClose(tx: Tx, key: LockedRoomKey): Promise<void> {
  const shown = await findShown(tx, key.roomId)
  if (shown !== undefined) await appendHide(tx, key, shown)
}

export async function findShown(query: Query, roomId: string): Promise<Handout | undefined> {
  return (await findShownHandout(query, roomId))?.handout
}

export async function isAnythingShown(query: Query, roomId: string): Promise<boolean> {
  return (await findShownHandout(query, roomId)) !== undefined
}

async function findInRoom(tx: Tx, key: HandoutInRoom): Promise<Handout> {
  const handout = await findHandout(tx, key)
  if (handout?.roomId !== key.roomId) throw new ServiceError('NOT_FOUND')
  return handout
}

/** Ends the presentation of this handout, which the caller has found in the locked room. */
export async function appendHide(
  tx: Tx,
  locked: LockedRoomKey,
  { id }: Pick<Handout, 'id'>,
): Promise<void> {
  const payload = { handout_id: id }
  await appendRoomEvent(tx, { ...locked, eventType: 'handout.hide', payload })
}

function noVideoShown(): ServiceError {
  return refuseField('VALIDATION_ERROR', {
    field: 'handout_id',
    code: 'NOT_ALLOWED',
    message: 'must be the video that is being shown',
  })
}
