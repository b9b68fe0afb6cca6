import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addHandout } from '../../testing/handouts.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { sendForm } from '../../testing/multipart.ts'
import { reconcilePass } from '../../testing/reconcile-pass.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const MINUTE_MS = 60_000

async function eventTypesOf(roomId: string): Promise<string[]> {
  const rows = await plane.database.db<{ type: string }[]>`
    select event_type as type from room_events where room_id = ${roomId} order by seq
  `
  return rows.map(({ type }) => type)
}

describe('the tenant changes the handouts while the room is open', () => {
  // contract: streamRoom › `handouts` when the tenant changes them, to those who may list them
  test('each change is published to the roles that may list them alone', async () => {
    const { id: roomId, session } = await plane.book({ startsInMin: 1 })
    const moderator = await live.enter(roomId, 'moderator')
    const panelist = await live.enter(roomId, 'panelist')
    const [published, unaware] = await Promise.all([moderator.listen(), panelist.listen()])
    await Promise.all([published.wait('snapshot'), unaware.wait('snapshot')])

    const { id } = await addHandout(plane, session.id)
    await sendForm(plane.tenant, `PATCH /handouts/${id}`, { parts: [['sort', '7']] })
    await plane.tenant.delete(`/handouts/${id}`)
    await moderator.post('/close', {})
    await Promise.all([published.wait('closed'), unaware.wait('closed')])
    expect(published.events.map(({ name }) => name)).toEqual([
      'snapshot',
      'handouts',
      'handouts',
      'handouts',
      'closed',
    ])
    expect(unaware.events.map(({ name }) => name)).toEqual(['snapshot', 'closed'])
  })
})

describe('the end of the window', () => {
  // contract: showHandout › The end of the window hides what is shown
  test('takes away what is shown, also with nobody inside: it is not in use any more', async () => {
    const { id: roomId, session } = await plane.book({ startsInMin: 1 })
    const moderator = await live.enter(roomId, 'moderator')
    const { id } = await addHandout(plane, session.id)
    await moderator.post(`/handouts/${id}/show`)
    expect((await plane.tenant.delete(`/handouts/${id}`)).code).toBe('HANDOUT_IN_USE')

    const before = plane.now
    plane.now = new Date(Date.parse(session.ends_at) + 32 * MINUTE_MS)
    const { signal } = new AbortController()
    const run = { key: 'all', payload: {}, attempt: 1, signal, log: plane.deps.log }
    await reconcilePass(plane.deps).run(run)
    await reconcilePass(plane.deps).run(run)
    expect(await eventTypesOf(roomId)).toEqual(['handout.show', 'handout.hide'])
    expect((await plane.tenant.delete(`/handouts/${id}`)).status).toBe(204)
    plane.now = before
  })
})
