import { expect, test } from 'vitest'
import { forgetAnswers } from '../../api/idempotency/forget-answers.ts'
import type { ServiceKeys } from '../../platform/ports/service-keys.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { hasLockWait } from '../../testing/lock-waits.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import type { Answer } from '../../testing/tenant-client.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { eraseDataSubjectJob } from './erase-data-subject.job.ts'

const PERSON = { external_type: 'User', external_id: 'cust-held' }
const DAY_MS = 24 * 60 * 60 * 1000
const plane = useControlPlane()
const live = useLiveRooms(plane)

const erase = (serviceKeys: ServiceKeys = plane.deps.serviceKeys) =>
  runJobs(plane.database.db, eraseDataSubjectJob({ ...plane.deps, serviceKeys, forgetAnswers }))

// contract: releaseLegalHold › Erasures that it blocked continue
test('an erasure whose hold is released while it is being blocked continues', async () => {
  const { id: roomId } = await plane.book()
  await live.enter(roomId, 'panelist', { participant: PERSON })
  plane.now = new Date(plane.now.getTime() + DAY_MS)
  const reason = 'A case.'
  const hold = (await plane.tenant.post('/legal-holds', { room_id: roomId, reason })).data
  const { id } = (await plane.tenant.post('/data-subjects/erasures', PERSON)).data

  let releasing: Promise<Answer> | undefined
  let isReleased = false
  // The receipt is signed after the decision that the hold blocks the erasure, and before that is stored.
  await erase({
    ...plane.deps.serviceKeys,
    async signing() {
      releasing ??= plane.tenant.delete(`/legal-holds/${hold.id}`).finally(() => {
        isReleased = true
      })
      await waitFor(async () => isReleased || (await hasLockWait(plane.database.db)))
      return plane.deps.serviceKeys.signing()
    },
  })
  expect(await releasing).toMatchObject({ status: 204 })
  await erase()
  const { data } = await plane.tenant.get(`/data-subjects/erasures/${id}`)
  expect(data).toMatchObject({ state: 'done', remains: [], removed: { participants: 1 } })
})
