import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useRoundTripCounter } from '../../testing/round-trip-counter.ts'
import { findRecordingTerms } from '../recording/recordings/read-recordings.ts'
import { admitParticipant } from './admit.ts'
import { deviceOf } from './device.ts'

const plane = useControlPlane()
const counted = useRoundTripCounter(plane)
const ORIGIN = { device: deviceOf(undefined), ipAddress: null }
let roomId = ''

beforeAll(async () => {
  roomId = (await plane.book({ startsInMin: 1 })).id
})

function enter(externalId: string) {
  return admitParticipant(
    { ...plane.deps, db: counted.db },
    {
      tenantId: plane.tenant.tenantId,
      roomId,
      role: 'panelist',
      displayName: '花子',
      jti: null,
      identity: { kind: 'external', externalType: 'User', externalId },
    },
    ORIGIN,
  )
}

test.each([
  ['a first visit', 0],
  ['a return, which notifies the earlier page,', 1],
])('%s goes to the database and back at most five times', async (_name, visitsBefore) => {
  const externalId = randomUUID()
  for (let visit = 0; visit < visitsBefore; visit += 1) await enter(externalId)
  const ways = await counted.of(async () => {
    await enter(externalId)
    // What the answer contains besides.
    await findRecordingTerms(counted.db, roomId)
  })
  expect(ways.length).toBeLessThanOrEqual(5)
})

test('a person is queued for before the room is, and the room before its row', async () => {
  const [first = []] = await counted.of(() => enter(randomUUID()))
  const locks = first.map((text) => /pg_advisory_xact_lock(_shared)?/.exec(text)?.[0])
  expect(locks.slice(0, 3)).toEqual([
    undefined,
    'pg_advisory_xact_lock',
    'pg_advisory_xact_lock_shared',
  ])
  expect(first[3]).toMatch(/for share of r$/)
})
