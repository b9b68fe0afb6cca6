import { inTransaction } from '../../../platform/db/db.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { lockRoom } from '../../booking/lock-room.ts'
import { publishLiveEvent } from '../../room-log/publish-live-event.ts'
import type { Recording } from '../recordings/recording.ts'
import { storeProgress } from '../recordings/store.ts'
import type { FinishRun } from './finish-run.ts'

type ProgressDeps = Pick<Deps, 'db' | 'clock'>

const EVERY_MS = 1_000

/**
 * Stores the progress of a composition and publishes it to the room's pages, at most once a second. A failure to do so does
 * not end the composition.
 */
export function progressOf(
  { db, clock }: ProgressDeps,
  { id, tenantId, roomId }: Recording,
  { log }: Pick<FinishRun, 'log'>,
): (share: number) => void {
  let lastMs = 0
  let isBusy = false

  async function note(percent: number): Promise<void> {
    await inTransaction(db, async (tx) => {
      const room = await lockRoom(tx, { tenantId, roomId })
      const noted = await storeProgress(tx, { id, percent, at: clock() })
      if (noted?.isRoomOpen === true) await publishLiveEvent(tx, room, { name: 'recording' })
    })
  }

  return (share) => {
    const nowMs = clock().getTime()
    if (isBusy || (share > 0 && nowMs < lastMs + EVERY_MS)) return
    lastMs = nowMs
    isBusy = true
    note(Math.floor(share * 100))
      .catch((error: unknown) => log.warn({ err: error }, 'storing the progress failed'))
      .finally(() => {
        isBusy = false
      })
  }
}
