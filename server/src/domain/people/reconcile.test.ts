import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { Worker } from '../../platform/jobs/worker.ts'
import { startWorker } from '../../platform/jobs/worker.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { connectMedia } from '../../testing/entries.ts'
import { createFakeMedia } from '../../testing/fake-media.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { postNotification, signNotification } from '../../testing/provider-notification.ts'
import { reconcilePass } from '../../testing/reconcile-pass.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'
import { webhooksOf } from '../../testing/recordings.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { applyNotificationsJob } from '../notifications/apply-notifications.job.ts'
import { reconcileRoomsJob } from '../room-end/reconcile-rooms.job.ts'
import { lastReconciledAt, reconcileJob } from '../room-end/reconcile.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const workers: Worker[] = []

afterEach(async () => {
  // The database sets the times of the inbox.
  plane.now = new Date()
  await Promise.all(workers.splice(0).map((each) => each.stop()))
  plane.media.onCall = undefined
  await plane.database.db`delete from jobs`
  await plane.database.db`update rooms set closed_at = now() where closed_at is null`
  await plane.database.db`update entry_histories set left_at = entered_at where left_at is null`
  await plane.database.db`
    update sessions set starts_at = starts_at - interval '1 year', ends_at = ends_at - interval '1 year'
  `
})

const pass = () => rooms.run(reconcilePass(plane.deps))

/** Books rooms that are inside their window, each with an empty media room. */
async function bookEmpty(count: number, startsInMin = 0): Promise<string[]> {
  const { tenantId } = plane.tenant
  const rows = await plane.database.db<{ id: string }[]>`
    with room as (
      insert into rooms (id, tenant_id, kind, archive_mode, archive_resolution, stream_resolution,
                         stream_frame_rate, transcription_language, transcription_service,
                         media_room_sid)
      select gen_random_uuid(), ${tenantId}, 'interview', 'always', '640x480', '320x240', 15,
             'ja-JP', 'engine_c', 'RM'
        from generate_series(1, ${count}::int)
      returning id
    ), clock as (
      insert into room_clocks (room_id) select id from room
    )
    insert into sessions (id, tenant_id, room_id, external_type, external_id, access_token,
                          starts_at, ends_at)
    select gen_random_uuid(), ${tenantId}, id, 'application', id, 'x',
           ${plane.now}::timestamptz + make_interval(mins => ${startsInMin}),
           ${plane.now}::timestamptz + make_interval(mins => ${startsInMin + 60})
      from room
    returning room_id as id
  `
  const spec = { emptyTimeoutSec: 60, metadata: {} }
  for (const { id } of rows) plane.media.rooms.set(id, { sid: 'RM', spec: { name: id, ...spec } })
  return rows.map(({ id }) => id)
}

/** Applies the provider's notification that the media room has ended. */
async function finishRoom(roomId: string): Promise<void> {
  const event = { id: `EV_${randomUUID()}`, event: 'room_finished', room: { name: roomId } }
  const body = JSON.stringify(event)
  const authorization = await signNotification(plane.deps, body)
  expect(await postNotification(plane.app, body, authorization)).toBe(200)
  await runJobs(plane.database.db, applyNotificationsJob(plane.deps))
}

const openEntriesOf = async (roomId: string) =>
  plane.database.db`
    select 1 from entry_histories where room_id = ${roomId} and left_at is null
  `

describe('a pass of the reconciler', () => {
  test('checks empty booked rooms with ListRooms only, a hundred at a time', async () => {
    await bookEmpty(250)
    plane.media.calls.length = 0
    await pass()
    expect(plane.media.calls).toEqual(['listRooms', 'listRooms', 'listRooms'])
  })

  test('leaves out rooms whose window is over or has not begun', async () => {
    await bookEmpty(3, 31)
    await bookEmpty(3, -121)
    plane.media.calls.length = 0
    await pass()
    expect(plane.media.calls).toEqual([])
  })

  test('continues with the others when the list of a room fails, and with that room once it answers', async () => {
    const roomIds = [await rooms.book('manual'), await rooms.book('manual')]
    const people = []
    for (const roomId of roomIds) people.push(await live.enter(roomId, 'panelist'))
    for (const [at, roomId] of roomIds.entries()) {
      plane.media.connect(roomId, String(people[at]?.participantId), plane.now)
    }
    const [sick = '', sound = ''] = roomIds.toSorted()
    plane.media.onCall = (call) => {
      if (call === `listConnections ${sick}`) throw new MediaError('hangs')
    }
    await pass()
    expect(await openEntriesOf(sick)).toHaveLength(0)
    expect(await openEntriesOf(sound)).toHaveLength(1)
    plane.media.onCall = undefined
    await pass()
    expect(await openEntriesOf(sick)).toHaveLength(1)
  })

  test('finds an observer, whom the provider does not count', async () => {
    const roomId = await rooms.book('manual')
    const { participantId } = await live.enter(roomId, 'observer')
    plane.media.connect(roomId, participantId, plane.now)
    plane.media.hidden.add(participantId)
    await pass()
    expect(await openEntriesOf(roomId)).toHaveLength(1)
  })

  test('reopens the entry of a person who is present but was recorded as having left', async () => {
    const roomId = await rooms.book('manual')
    const panelist = await rooms.come(roomId, 'panelist')
    const observer = await live.enter(roomId, 'observer')
    const stream = await observer.listen()
    await finishRoom(roomId)
    expect(await openEntriesOf(roomId)).toHaveLength(0)
    await stream.wait('roster')
    const heard = stream.events.length
    plane.now = new Date(Date.now() + 1_000)
    await pass()
    expect(await openEntriesOf(roomId)).toHaveLength(1)
    await waitFor(() => stream.events.slice(heard).some(({ name }) => name === 'roster'))
    const { items } = (await plane.tenant.get(`/rooms/${roomId}/entry-histories`)).data
    expect(items).toMatchObject([{ participant_id: panelist.participantId, left_at: null }])
    expect(await webhooksOf(plane, `participant:${panelist.participantId}`)).toHaveLength(1)
  })

  test('keeps the entry of a person closed who left while the list was being fetched', async () => {
    const roomId = await rooms.book('manual')
    await rooms.come(roomId, 'panelist')
    const { media } = plane
    const listConnections: typeof media.listConnections = async (name) => {
      const listed = await media.listConnections(name)
      await finishRoom(roomId)
      return listed
    }
    await rooms.run(reconcilePass({ ...plane.deps, media: { ...media, listConnections } }))
    expect(await openEntriesOf(roomId)).toHaveLength(0)
  })

  test('without the media room closes only the entries from before its list', async () => {
    const roomId = await rooms.book('manual')
    await rooms.come(roomId, 'panelist')
    await plane.media.deleteRoom(roomId)
    const { media } = plane
    const listRooms: typeof media.listRooms = async (names) => {
      const listed = await media.listRooms(names)
      rooms.later(1_000)
      const { participantId: identity } = await live.enter(roomId, 'moderator')
      await connectMedia(plane, { roomId, identity })
      return listed
    }
    await rooms.run(reconcilePass({ ...plane.deps, media: { ...media, listRooms } }))
    const { items } = (await plane.tenant.get(`/rooms/${roomId}/entry-histories`)).data
    const isOpen = items.map(({ left_at: leftAt }: { left_at: string | null }) => leftAt === null)
    expect(isOpen).toEqual([false, true])
  })

  test('removes participants without an admission', async () => {
    const [roomId = ''] = await bookEmpty(1)
    plane.media.connect(roomId, 'nobody', plane.now)
    await pass()
    expect(plane.media.connections.get(roomId)).toEqual([])
  })

  test('is shared by the workers: no worker does all of it', async () => {
    await bookEmpty(400)
    const sharers: string[] = []
    const { db, log, jobLeaseSec } = { ...plane.deps, ...plane.deps.config }
    for (const name of ['one', 'two']) {
      const media = createFakeMedia()
      media.onCall = async () => {
        sharers.push(name)
        await waitFor(() => new Set(sharers).size === 2)
      }
      const jobs = [reconcileRoomsJob({ ...plane.deps, media })]
      const queues = [{ jobs, concurrency: 2 }]
      workers.push(startWorker({ db, log, queues, leaseSec: jobLeaseSec }))
    }
    await rooms.run(reconcileJob(plane.deps))
    await waitFor(() => sharers.length === 4)
    expect(new Set(sharers).size).toBe(2)
  })
})

describe('the age of the last pass', () => {
  test('comes from the last list, or from the oldest share that is waiting or failing', async () => {
    const { db } = plane.database
    const { log, jobLeaseSec: leaseSec } = { ...plane.deps, ...plane.deps.config }
    expect(await lastReconciledAt(db)).toBeUndefined()
    await bookEmpty(1)
    const lister = reconcileJob(plane.deps)
    await db`insert into jobs (kind, key) values (${lister.kind}, 'all')`
    workers.push(startWorker({ db, log, leaseSec, queues: [{ jobs: [lister], concurrency: 1 }] }))
    const reconciledMs = async () => Number(await lastReconciledAt(db))
    await waitFor(async () => (await reconciledMs()) > 0)
    const listedMs = await reconciledMs()
    await db`
      update jobs set created_at = created_at - interval '1 minute' where kind = 'reconcile-rooms'
    `
    expect(listedMs - (await reconciledMs())).toBeGreaterThan(50_000)
    workers.push(
      startWorker({
        db,
        log,
        leaseSec,
        queues: [{ jobs: [reconcileRoomsJob(plane.deps)], concurrency: 1 }],
      }),
    )
    await waitFor(async () => (await reconciledMs()) >= listedMs)
  })
})
