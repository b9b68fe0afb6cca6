import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { lockRoom } from '../booking/lock-room.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import type { BoardHolder } from './board-holder.ts'
import { countOpenHelp } from './store.ts'

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
    if (open > 0) {
      const payload = { display_name: displayName }
      await appendRoomEvent(tx, { ...locked, eventType: 'help.answered', payload })
    }
    return open
  })
}
