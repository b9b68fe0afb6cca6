import { type LiveTextAudience, ROLES } from '@interview-room/contract/vocabulary.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { type Guest, type LiveReader, useLiveRooms } from '../../../testing/live-room.ts'
import { noteLiveEngines } from '../../people/live-text-request.ts'
import { changeLiveText } from './change-live-text.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const change = async (audience: LiveTextAudience) =>
  changeLiveText(plane.database.db, { tenantId: plane.tenant.tenantId, audience })

afterEach(async () => {
  await noteLiveEngines(plane.database.db, ['local'])
  await change('off')
})

/** Somebody of each role, whose page is open. */
async function openPages(roomId: string) {
  const people: Guest[] = []
  for (const role of ROLES) people.push(await live.enter(roomId, role))
  const pages = await Promise.all(people.map((person) => person.listen()))
  await Promise.all(pages.map((page) => page.wait('snapshot')))
  return people.map((person, at) => ({ ...person, page: pages[at] as LiveReader }))
}

type OpenPage = Awaited<ReturnType<typeof openPages>>[number]

let said = 0

/** The events about live text by role, once everything before has arrived. */
async function toldTo(pages: readonly OpenPage[]) {
  said += 1
  const text = `message ${said}`
  await pages[0]?.post('/messages', {
    id: crypto.randomUUID(),
    visibility: 'public',
    content_type: 'text',
    text,
  })
  await Promise.all(pages.map(({ page }) => page.wait('message', (data) => data.text === text)))
  return Object.fromEntries(
    pages.map(({ role, page }) => [
      role,
      page.events
        .filter(({ name }) => name === 'live_text')
        .map(({ data }) => data.has_live_text as unknown),
    ]),
  )
}

describe('a change of who may read live text', () => {
  // contract: streamRoom › `live_text` with `has_live_text`, for roles to which a change makes a difference
  test('reaches open pages, and only those of people to whom it makes a difference', async () => {
    const { id } = await plane.book({ startsInMin: 1 })
    const pages = await openPages(id)
    await change('staff')
    const staff = { moderator: [true], observer: [true], platform_observer: [true] }
    expect(await toldTo(pages)).toEqual({ ...staff, panelist: [] })
    await change('everyone')
    expect(await toldTo(pages)).toEqual({ ...staff, panelist: [true] })
    await change('everyone')
    await change('off')
    const over = [true, false]
    expect(await toldTo(pages)).toEqual(Object.fromEntries(ROLES.map((role) => [role, over])))
  })

  test('does not concern a room that is booked without, or is closed', async () => {
    const { id } = await plane.book({ startsInMin: 1 })
    await plane.database.db`update rooms set live_text = 'off' where id = ${id}`
    const closed = await plane.book({ startsInMin: 1 })
    const pages = await openPages(id)
    await live.enter(closed.id, 'moderator')
    await plane.tenant.post(`/rooms/${closed.id}/close`)
    await change('everyone')
    expect(await toldTo(pages)).toEqual(Object.fromEntries(ROLES.map((role) => [role, []])))
    const events = await plane.database.db`
      select from live_events where room_id = ${closed.id} and name = 'live_text'
    `
    expect(events).toHaveLength(0)
  })
})

// contract: streamRoom › `has_live_text` is false without an engine of live text
test('without an engine nobody may read, whatever the tenant allows', async () => {
  await noteLiveEngines(plane.database.db, [])
  await change('everyone')
  const { id } = await plane.book({ startsInMin: 1 })
  const moderator = await live.enter(id, 'moderator')
  const mayRead = async () => (await (await moderator.listen()).wait('snapshot')).has_live_text
  expect(await mayRead()).toBe(false)
  await noteLiveEngines(plane.database.db, ['soniox'])
  expect(await mayRead()).toBe(true)
})
