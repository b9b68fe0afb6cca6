import { STREAM_EVENTS } from '@interview-room/contract/live-stream.ts'
import {
  ROOM_EVENT_TYPES,
  type RoomEventType,
  WATCHED_FIELDS,
} from '@interview-room/contract/room-events.ts'
import { STREAM_READERS } from '@interview-room/contract/stream-readers.ts'
import { ROLES } from '@interview-room/contract/vocabulary.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { lockRoom } from '../../domain/booking/lock-room.ts'
import { appendRoomEvent } from '../../domain/room-log/append-room-event.ts'
import { publishLiveEvent } from '../../domain/room-log/publish-live-event.ts'
import { listLiveEvents } from '../../domain/room-log/read-logs.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { FILE, useRecordedRooms } from '../../testing/recorded-rooms.ts'
import { callAsViewer } from '../../testing/viewer-calls.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

/** Every member that any event has, each with a word that is found in nothing else. */
const MEMBERS = [
  'participant_id',
  'identity',
  'display_name',
  'by',
  'reason',
  'text',
  'score',
  'comment',
  ...Object.values(WATCHED_FIELDS).flat(),
].filter((name) => !['marked_at', 'visibility'].includes(name))
const planted = (type: string) =>
  Object.fromEntries(MEMBERS.map((name) => [name, `${name} of ${type}`]))
const NEW_TYPE = 'observer.whispered' as RoomEventType

let recordingId: string
let roomId: string

interface Item {
  type: string
  payload: Record<string, unknown> | null
}

beforeAll(async () => {
  plane.now = new Date()
  roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  await moderator.post('/recording/start')
  rooms.becomesActive(roomId)
  await rooms.settle()
  await inTransaction(plane.database.db, async (tx) => {
    const locked = await lockRoom(tx, { tenantId: plane.tenant.tenantId, roomId })
    for (const eventType of [...ROOM_EVENT_TYPES, NEW_TYPE]) {
      await appendRoomEvent(tx, { ...locked, eventType, payload: planted(eventType) })
    }
    const secret = { ...planted('private marker'), is_private: true }
    await appendRoomEvent(tx, { ...locked, eventType: 'marker', payload: secret })
  })
  rooms.later(FILE.durationSec * 1000)
  await moderator.post('/recording/stop')
  rooms.completes(rooms.lastEgressOf(roomId))
  await rooms.settle()
  ;({ id: recordingId } = await rooms.recordingOf(roomId))
})

const plantedOf = (items: Item[]) =>
  items.filter(({ payload }) => JSON.stringify(payload ?? {}).includes(' of ') || payload === null)

async function readAs(may: readonly string[]): Promise<Item[]> {
  const token = await live.acting.signViewerToken({ recording_id: recordingId, may })
  const answer = await callAsViewer(
    plane.app,
    ['GET', `/recordings/${recordingId}/timeline?limit=100`],
    {
      token,
    },
  )
  expect(answer.status).toBe(200)
  return answer.data.items
}

describe('the timeline', () => {
  // contract: getRecordingTimeline › Without `staff`, a viewer reads only the events and members that are listed for them
  test.each([[['watch']], [['watch', 'comment', 'clip', 'download']]])(
    'shows a viewer who may %s only what is listed for them',
    async (may) => {
      const items = plantedOf(await readAs(may))
      const shown = ROOM_EVENT_TYPES.filter((type) => type in WATCHED_FIELDS)
      expect(new Set(items.map(({ type }) => type))).toEqual(new Set(shown))
      for (const { type, payload } of items) {
        const fields: readonly string[] = WATCHED_FIELDS[type as keyof typeof WATCHED_FIELDS]
        for (const name of Object.keys(payload ?? {})) expect(fields).toContain(name)
      }
      expect(JSON.stringify(items)).not.toMatch(
        /private marker|whispered|display_name of (?!screen)/,
      )
    },
  )

  // contract: getRecordingTimeline › With `staff`, a viewer reads what the API key reads
  test('shows a viewer who may also staff as much as the API key', async () => {
    const items = await readAs(['watch', 'staff'])
    const { data } = await plane.tenant.get(`/recordings/${recordingId}/timeline?limit=100`)
    expect(items).toEqual(data.items)
    const types = new Set(items.map(({ type }) => type))
    for (const type of [...ROOM_EVENT_TYPES, NEW_TYPE]) expect(types).toContain(type)
    expect(JSON.stringify(items)).toContain('note of private marker')
  })

  test('is closed to a viewer who may only staff', async () => {
    const token = await live.acting.signViewerToken({ recording_id: recordingId, may: ['staff'] })
    const path = `/recordings/${recordingId}/timeline?limit=100`
    expect((await callAsViewer(plane.app, ['GET', path], { token })).status).toBe(401)
  })
})

describe('the live stream', () => {
  const names = Object.keys(STREAM_READERS) as (keyof typeof STREAM_READERS)[]

  test('declares the readers of every logged event', () => {
    expect(names).toHaveLength(Object.keys(STREAM_EVENTS).length - 2)
  })

  test.each(names)('sends %s to no role that is not declared for it', async (name) => {
    const key = { tenantId: plane.tenant.tenantId, roomId: (await plane.book()).id }
    await inTransaction(plane.database.db, async (tx) => {
      const locked = await lockRoom(tx, key)
      await publishLiveEvent(tx, locked, { name })
      await publishLiveEvent(tx, locked, { name, roles: ROLES })
      await publishLiveEvent(tx, locked, { name, roles: ['panelist'] })
    })
    const rows = await listLiveEvents(plane.database.db, { ...key, after: 0n, limit: 10 })
    const readers = rows.filter((row) => row.name === name).map(({ roles }) => roles)
    const declared = STREAM_READERS[name]
    expect(readers).toEqual([declared, declared, declared.filter((role) => role === 'panelist')])
  })
})
