import { POSTED_EVENT_AUDIENCE } from '@interview-room/contract/live-moderation.ts'
import type { PostedEvent } from '@interview-room/contract/live-stream.ts'
import { inTransaction, type Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { lockRoom } from '../booking/lock-room.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import type { BoardHolder } from './board-holder.ts'
import { countOpenHelp } from './store.ts'

const TYPE = 'help.answered'

/**
 * Notes that an operator takes care of the open calls for help, and returns their number. A repeat finds no open call and
 * writes nothing. Throws 404 NOT_FOUND.
 */
export async function answerHelp(
  { db }: Pick<Deps, 'db'>,
  { tenantId, displayName }: BoardHolder,
  roomId: string,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const locked = await lockRoom(tx, { tenantId, roomId })
    const open = await countOpenHelp(tx, roomId)
    if (open > 0) await publishAnswer(tx, locked, displayName)
    return open
  })
}

async function publishAnswer(tx: Tx, locked: LockedRoomKey, displayName: string): Promise<void> {
  const { at } = await appendRoomEvent(tx, {
    ...locked,
    eventType: TYPE,
    payload: { display_name: displayName },
  })
  const event: PostedEvent = {
    type: TYPE,
    participant_id: null,
    // An operator at the board is not in the room.
    identity: '',
    display_name: displayName,
    payload: null,
    created_at: at.toISOString(),
  }
  const { receivers } = POSTED_EVENT_AUDIENCE[TYPE]
  await publishLiveEvent(tx, locked, { name: 'fact', roles: receivers, payload: event })
}
