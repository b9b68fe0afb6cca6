import { setImmediate } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { setConsentPolicy } from '../../platform/tenants/consent-settings.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

beforeEach(() =>
  setConsentPolicy(plane.database.db, plane.tenant.tenantId, { observationConsent: 'required' }),
)

const answer = (guest: Guest, word: 'given' | 'withdrawn') =>
  guest.post('/events', {
    event_type: `consent.${word}`,
    payload: { purpose: 'observation', version: 'default-1', language: 'ja' },
  })

/** How many people's rights the provider is asked to change at the same time. */
function countConcurrent(): () => number {
  let running = 0
  let most = 0
  plane.media.onCall = async (call) => {
    if (!call.startsWith('updateRights')) return
    running += 1
    most = Math.max(most, running)
    await setImmediate()
    running -= 1
  }
  return () => most
}

test('the time of an answer does not show whether anybody observes, and how many', async () => {
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  const panelist = await live.enter(roomId, 'panelist')
  const beganAt = performance.now()
  expect((await answer(panelist, 'given')).status).toBe(201)
  expect(performance.now() - beganAt).toBeGreaterThan(490)

  for (const jti of ['1', '2', '3']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as people come
    const observer = await live.enter(roomId, 'observer', { jti })
    plane.media.connect(roomId, observer.participantId)
  }
  const most = countConcurrent()
  expect((await answer(panelist, 'withdrawn')).status).toBe(201)
  expect(most()).toBe(3)
})
