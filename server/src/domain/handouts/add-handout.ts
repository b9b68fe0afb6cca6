import { HANDOUT_SORT_MAX } from '@interview-room/contract/limits.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { SessionKey } from '../booking/session.ts'
import type { TicketHolder } from '../people/ticket.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import type { Handout } from './handout.ts'
import { registerHandout } from './register-handout.ts'
import { findLastSort } from './store.ts'
import type { Upload } from './upload.ts'

/** Identifies the locked room, its session and the person who adds the handout. */
export type HandoutAddition = LockedRoomKey &
  SessionKey & { holder: Pick<TicketHolder, 'participantId' | 'mediaIdentity' | 'displayName'> }

/** Adds a file that somebody in the room uploaded as the last handout of its session. Throws 409 SESSION_RELEASED. */
export async function addHandout(
  tx: Tx,
  { holder, ...key }: HandoutAddition,
  { title, upload }: { title: string | undefined; upload: Upload },
): Promise<Handout> {
  const last = await findLastSort(tx, key.sessionId)
  const sort = Math.min((last ?? -1) + 1, HANDOUT_SORT_MAX)
  const fields = { sort, ...(title !== undefined && { title }) }
  const { handout } = await registerHandout(tx, key, { fields, upload })
  await appendRoomEvent(tx, {
    ...key,
    eventType: 'handout.added',
    payload: {
      handout_id: handout.id,
      participant_id: holder.participantId,
      identity: holder.mediaIdentity,
      display_name: holder.displayName,
    },
  })
  return handout
}
