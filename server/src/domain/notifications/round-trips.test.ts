import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useRoundTripCounter } from '../../testing/round-trip-counter.ts'
import { takeNotification } from './take-notification.ts'

const plane = useControlPlane()
const counted = useRoundTripCounter(plane)

test('a notification is stored, with the job that applies it, in one round trip', async () => {
  const notification = {
    id: randomUUID(),
    event: 'room_started',
    mediaRoom: randomUUID(),
    body: '{}',
  }
  const trips = await counted.of(() => takeNotification(counted.db, notification))
  expect(trips.map((statements) => statements.length)).toEqual([4])
  // The provider sends it again when it has not received the answer.
  await takeNotification(counted.db, notification)
  const stored = await plane.database.db`
    select event from provider_notifications where media_room = ${notification.mediaRoom}
  `
  expect(stored).toEqual([{ event: 'room_started' }])
})
