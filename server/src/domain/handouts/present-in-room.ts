import type { Playback } from '@interview-room/contract/live-moderation.ts'
import type { Query, Tx } from '../../platform/db/db.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import type { RoomMoment } from '../room-log/clock-store.ts'
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
  if (shown !== undefined) await append(tx, key, { handoutId: shown.handout.id, to: 'hide' })
  const { seq } = await append(tx, key, { handoutId: id, to: 'show' })
  await insertPresentation(tx, handout, seq)
  await publishLiveEvent(tx, key, { name: 'presentation' })
}

/** Hides the handout if it is the presented one. A repeat changes nothing. Throws 404 NOT_FOUND. */
export async function hideHandout(tx: Tx, key: HandoutInRoom): Promise<void> {
  const { id } = await findInRoom(tx, key)
  const shown = await findShownHandout(tx, key.roomId)
  if (shown?.handout.id !== id) return
  await append(tx, key, { handoutId: id, to: 'hide' })
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
  const shown = await findShownHandout(tx, key.roomId)
  if (shown !== undefined) await append(tx, key, { handoutId: shown.handout.id, to: 'hide' })
}

export async function isAnythingShown(query: Query, roomId: string): Promise<boolean> {
  return (await findShownHandout(query, roomId)) !== undefined
}

async function findInRoom(tx: Tx, key: HandoutInRoom): Promise<Handout> {
  const handout = await findHandout(tx, key)
  if (handout?.roomId !== key.roomId) throw new ServiceError('NOT_FOUND')
  return handout
}

async function append(
  tx: Tx,
  locked: LockedRoomKey,
  { handoutId, to }: { handoutId: string; to: 'show' | 'hide' },
): Promise<RoomMoment> {
  const payload = { handout_id: handoutId }
  return appendRoomEvent(tx, { ...locked, eventType: `handout.${to}`, payload })
}

function noVideoShown(): ServiceError {
  return refuseField('VALIDATION_ERROR', {
    field: 'handout_id',
    code: 'NOT_ALLOWED',
    message: 'must be the video that is being shown',
  })
}
