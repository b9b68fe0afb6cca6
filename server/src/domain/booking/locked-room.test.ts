import { expect, test } from 'vitest'
import { inTransaction, openDb } from '../../platform/db/db.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { TEST_TIMEOUTS } from '../../testing/database.ts'
import { say } from '../../testing/live-chat.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { hasLockWait } from '../../testing/lock-waits.ts'
import { waitFor } from '../../testing/wait-for.ts'

const WRITERS = 24

const plane = useControlPlane()
const live = useLiveRooms(plane)

test('a room that stays locked for long delays no other room', async () => {
  const [locked, other] = [
    await plane.book({ startsInMin: 1 }),
    await plane.book({ startsInMin: 1 }),
  ]
  const guests = await Promise.all(
    Array.from({ length: WRITERS }, (_, n) =>
      live.enter(locked.id, 'panelist', { sub: `guest-${n}` }),
    ),
  )
  const elsewhere = await live.enter(other.id, 'panelist')
  const outside = openDb({
    url: plane.database.url,
    poolSize: 1,
    applicationName: 'holder',
    ...TEST_TIMEOUTS,
  })
  const [isLocked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = inTransaction(outside, async (tx) => {
    await tx`select 1 from rooms where id = ${locked.id} for update`
    isLocked.resolve()
    await letGo.promise
  })
  await isLocked.promise
  let answered = 0
  const writes = guests.map(async (guest) => {
    const { status } = await say(guest)
    answered += 1
    return status
  })
  await waitFor(() => hasLockWait(plane.database.db))

  // These requests succeed while the room is locked and every request to it waits.
  for (let n = 0; n < 20; n += 1) {
    expect((await plane.tenant.get(`/rooms/${other.id}`)).status).toBe(200)
    expect((await say(elsewhere)).status).toBe(201)
  }
  expect((await plane.tenant.get(`/rooms/${locked.id}`)).status).toBe(200)
  expect(answered).toBe(0)

  letGo.resolve()
  await holding
  expect(await Promise.all(writes)).toEqual(Array.from({ length: WRITERS }, () => 201))
  await outside.end()
})
