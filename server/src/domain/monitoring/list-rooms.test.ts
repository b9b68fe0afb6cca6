import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addRecording } from '../../testing/recordings.ts'
import { booking, createTenantClient, type TenantClient } from '../../testing/tenant-client.ts'

const plane = useControlPlane()

const MIN_MS = 60_000
const at = (minutes: number) => new Date(plane.now.getTime() + minutes * MIN_MS).toISOString()
const periodOf = (from: number, to: number) => `from=${at(from)}&to=${at(to)}`

/** A new tenant, so that its list contains only the test's rooms. */
const newTenant = () => createTenantClient(plane.app, plane.database.db)

/** Books a slot that starts in this many minutes. */
async function book(tenant: TenantClient, startsInMin: number, name?: string): Promise<string> {
  const body = booking({ now: plane.now, startsInMin })
  const session = { ...body.session, ...(name !== undefined && { name }) }
  const { status, data } = await tenant.post('/rooms', { ...body, session })
  expect(status).toBe(201)
  return data.id
}

async function addEntry(
  { tenantId }: TenantClient,
  roomId: string,
  { identity, hasLeft }: { identity: string; hasLeft: boolean },
): Promise<void> {
  await plane.database.db`
    with clock as (
      update room_clocks set seq = seq + 1 where room_id = ${roomId} returning seq
    )
    insert into entry_histories (tenant_id, room_id, seq, media_identity, media_sid, name, role,
                                 entered_at, left_at)
    select ${tenantId}, ${roomId}, seq, ${identity}, ${randomUUID()}, 'Hana', 'panelist',
           ${plane.now}, ${hasLeft ? plane.now : null}::timestamptz
      from clock
  `
}

const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)

describe('GET /rooms', () => {
  // contract: listRooms › 200, list envelope of the rooms whose slot starts from `from` until before
  //   `to`, in the order of the start
  test('lists the rooms whose slot starts in the period, by start', async () => {
    const tenant = await newTenant()
    const third = await book(tenant, 30)
    const first = await book(tenant, 10)
    const second = await book(tenant, 20)
    await book(tenant, 40)
    const { status, data } = await tenant.get(`/rooms?${periodOf(10, 40)}`)
    expect([status, idsOf(data)]).toEqual([200, [first, second, third]])
    expect(data).toMatchObject({ next_cursor: null, has_more: false })
  })

  // contract: listRooms › Pages follow each other without a gap, also where slots start together
  test('pages through slots that start together', async () => {
    const tenant = await newTenant()
    const booked = await Promise.all([1, 2, 3, 4, 5].map(() => book(tenant, 10)))
    const seen: string[] = []
    let cursor = ''
    do {
      const { data } = await tenant.get(`/rooms?${periodOf(0, 60)}&limit=2${cursor}`)
      seen.push(...idsOf(data))
      cursor = data.has_more ? `&cursor=${data.next_cursor}` : ''
    } while (cursor !== '')
    expect(seen).toEqual(booked.toSorted())
  })

  // contract: listRooms › An item has `id`, `status`, `archive_mode`, `session` with `id`, `name`,
  //   `external_type`, `external_id`, `starts_at`, `ends_at` and `status`, `connect_url`,
  //   `people_present`, `entries`, `recording_status` and `created_at`
  test('shows who is present and the newest recording', async () => {
    const { tenant } = plane
    const { id: roomId, session, connect_url, created_at } = await plane.book()
    await addEntry(tenant, roomId, { identity: 'a', hasLeft: true })
    await addEntry(tenant, roomId, { identity: 'a', hasLeft: false })
    await addEntry(tenant, roomId, { identity: 'a', hasLeft: false })
    await addEntry(tenant, roomId, { identity: 'b', hasLeft: false })
    await addRecording(plane, roomId, { status: 'available' })
    await addRecording(plane, roomId, { status: 'started' })
    const { data } = await tenant.get(`/rooms?${periodOf(-60, 60)}&limit=100`)
    expect(data.items.find(({ id }: { id: string }) => id === roomId)).toEqual({
      id: roomId,
      status: 'open',
      archive_mode: 'always',
      session: { ...session, name: null },
      connect_url,
      people_present: 2,
      entries: 4,
      recording_status: 'started',
      created_at,
    })
  })

  test('names the session, and has null where there is no recording', async () => {
    const tenant = await newTenant()
    await book(tenant, 10, 'Instant coffee')
    const { data } = await tenant.get(`/rooms?${periodOf(0, 60)}`)
    expect(data.items).toMatchObject([
      {
        session: { name: 'Instant coffee' },
        people_present: 0,
        entries: 0,
        recording_status: null,
      },
    ])
  })

  // contract: listRooms › Closed and cancelled rooms are listed, and those of other tenants are not
  test('lists a cancelled room, but no room of another tenant', async () => {
    const tenant = await newTenant()
    const roomId = await book(tenant, 10)
    await tenant.post(`/rooms/${roomId}/close`)
    const { data } = await tenant.get(`/rooms?${periodOf(0, 60)}`)
    expect(data.items).toMatchObject([
      { id: roomId, status: 'closed', session: { status: 'cancelled' } },
    ])
    const stranger = await newTenant()
    expect((await stranger.get(`/rooms?${periodOf(0, 60)}`)).data.items).toEqual([])
  })

  test('does not list a booking that the media provider has not confirmed', async () => {
    const tenant = await newTenant()
    const { roomId } = await (await createActingTenant(plane.deps, tenant.tenantId)).addRoom()
    await plane.database.db`update rooms set media_room_sid = null where id = ${roomId}`
    const { data } = await tenant.get(`/rooms?from=${at(-1000)}&to=${at(400_000)}`)
    expect(data.items).toEqual([])
  })

  // contract: listRooms › 422 VALIDATION_ERROR for a period without length, or of more than
  //   `PERIOD_MAX_DAYS` days
  test.each([
    ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00Z'],
    ['2030-01-02T00:00:00Z', '2030-01-01T00:00:00Z'],
    ['2030-01-01T00:00:00Z', '2031-01-03T00:00:00Z'],
  ])('refuses the period from %s to %s', async (from, to) => {
    const refused = await plane.tenant.get(`/rooms?from=${from}&to=${to}`)
    expect([refused.status, refused.code, refused.details]).toEqual([
      422,
      'VALIDATION_ERROR',
      [['to', 'OUT_OF_RANGE']],
    ])
  })

  // contract: listRooms › 400 INVALID_REQUEST without `from` or `to`, and for a cursor of another period
  test('refuses a request without a period, and a cursor of another period', async () => {
    const tenant = await newTenant()
    await book(tenant, 10)
    await book(tenant, 20)
    const { data } = await tenant.get(`/rooms?${periodOf(0, 60)}&limit=1`)
    const refused = await Promise.all(
      ['', `?from=${at(0)}`, `?${periodOf(0, 61)}&limit=1&cursor=${data.next_cursor}`].map(
        (query) => tenant.get(`/rooms${query}`),
      ),
    )
    expect(refused.map(({ status, code }) => [status, code])).toEqual(
      refused.map(() => [400, 'INVALID_REQUEST']),
    )
  })
})
