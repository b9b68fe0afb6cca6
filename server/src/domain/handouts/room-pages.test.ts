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
  test('publishes each change only to the roles that may list them', async () => {
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

describe('the tenant changes the title of the handout that is shown', () => {
  // contract: patchHandout › `title` may change while it is presented: everybody reads the new one
  test.each(['panelist', 'moderator'] as const)('shows the new one to a %s', async (role) => {
    const { id: roomId, session } = await plane.book({ startsInMin: 1 })
    const moderator = await live.enter(roomId, 'moderator')
    const [{ id }, other] = [
      await addHandout(plane, session.id, { title: 'Competitor A' }),
      await addHandout(plane, session.id, { title: 'Back' }),
    ]
    await moderator.post(`/handouts/${id}/show`)
    const reader = await (await live.enter(roomId, role)).listen()
    await reader.wait('snapshot')
    const retitle = (handoutId: string, title: string) =>
      sendForm(plane.tenant, `PATCH /handouts/${handoutId}`, { parts: [['title', title]] })
    await retitle(other.id, 'Package, back')
    await retitle(id, 'Package, front')
    const { presentation } = await reader.wait('presentation')
    expect(presentation).toMatchObject({ handout_id: id, title: 'Package, front' })
    expect(reader.events.filter(({ name }) => name === 'presentation')).toHaveLength(1)
  })
})

describe('the end of the window', () => {
  // contract: showHandout › The end of the window hides what is shown
  test('hides the presentation even with nobody inside, so the handout is no longer in use', async () => {
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
