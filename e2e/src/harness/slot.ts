import { withServiceDb } from './service-db.ts'
import { waitFor } from './wait.ts'

/** Moves the stored time of a slot, because a slot cannot be booked in the past. */
export async function endWindow(
  dataDir: string,
  { roomId, agoSec }: { roomId: string; agoSec: number },
): Promise<void> {
  await withServiceDb(dataDir, async (db) => {
    const [moved] = await db<{ at: Date }[]>`
      update sessions
         set starts_at = now() - interval '3 hours',
             ends_at = now() - interval '30 minutes' - ${agoSec} * interval '1 second'
       where room_id = ${roomId}
      returning now() as at
    `
    // The next run is a second after the last one, so later runs have seen the room as it is now.
    const seenBy = new Date((moved?.at.getTime() ?? 0) + 4_000)
    await waitFor(
      async () => {
        const seen = await db`
          select 1 from jobs where kind = 'reconcile-attendance' and due_at > ${seenBy}
        `
        return seen.length > 0
      },
      { what: 'the service has looked after its rooms' },
    )
  })
}
