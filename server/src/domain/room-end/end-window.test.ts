import { afterEach, describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { reconcilePass } from '../../testing/reconcile-pass.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'
import { endWindowJob } from './end-window.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
let start: Date | undefined
afterEach(() => {
  if (start !== undefined) plane.now = start
})

/** A room whose window is about to end. */
async function lastMinutesOfARoom() {
  start = plane.now
  const closesAt = new Date(start.getTime() + 5 * 60_000)
  const endsAt = new Date(closesAt.getTime() - 30 * 60_000)
  const startsAt = new Date(endsAt.getTime() - 60 * 60_000)
  const { roomId } = await live.acting.addRoom({ startsAt, endsAt })
  return { roomId, ...endOf(roomId, closesAt) }
}

/** The end of the room's window, with functions to move to it and to run the job. */
function endOf(roomId: string, closesAt: Date) {
  const after = (sec: number) => new Date(closesAt.getTime() + sec * 1000)
  const at = (sec: number) => {
    plane.now = after(sec)
  }
  const run = () => {
    const { signal } = new AbortController()
    const { log } = plane.deps
    return endWindowJob(plane.deps).run({ key: roomId, payload: {}, attempt: 1, signal, log })
  }
  return { at, after, run }
}

/** A room whose window is about to end, with a moderator and a panelist in it. */
async function lastMinutes() {
  const room = await lastMinutesOfARoom()
  const moderator = await rooms.come(room.roomId, 'moderator')
  const panelist = await rooms.come(room.roomId, 'panelist')
  return { ...room, moderator, panelist }
}

/** The tenant moves the slot of the room, so that it ends an hour from now. */
async function moveSlot(roomId: string) {
  const endsAt = new Date(plane.now.getTime() + 60 * 60_000)
  const { data } = await plane.tenant.get(`/rooms/${roomId}`)
  const { status } = await plane.tenant.patch(`/sessions/${data.session.id}`, {
    ends_at: endsAt.toISOString(),
  })
  expect(status).toBe(200)
  return endOf(roomId, new Date(endsAt.getTime() + 30 * 60_000))
}

/** Runs `act` once, before the media server answers the question. */
function whileAsked<T>(question: string, act: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    plane.media.onCall = async (call) => {
      if (call !== question) return
      plane.media.onCall = undefined
      await act().then(resolve, reject)
    }
  })
}

const isOfTheEnd = (name: string) => ['window', 'closing', 'closed'].includes(name)

describe('the end of the window', () => {
  test('is checked at its time, by the job that entries enqueue', async () => {
    const { roomId, after } = await lastMinutes()
    const jobs = await plane.database.db`
      select due_at from jobs where kind = 'end-window' and key = ${roomId}
    `
    expect(jobs).toEqual([{ due_at: after(0) }])
  })

  // contract: Fields of a RoomEvent › `closing` on the live stream at the end of the window, with
  //   the time of removal (`WINDOW_NOTICE_SEC`)
  test('is announced by `closing` with the time of removal', async () => {
    const { moderator, panelist, at, after, run } = await lastMinutes()
    const readers = [await moderator.listen(), await panelist.listen()]
    at(-1)
    expect(await run()).toEqual({ outcome: 'again', at: after(0) })
    at(0)
    expect(await run()).toEqual({ outcome: 'again', at: after(60) })
    expect(await run()).toEqual({ outcome: 'again', at: after(60) })
    for (const reader of readers) {
      expect(await reader.wait('closing')).toEqual({ at: after(60).toISOString() })
      expect(reader.hasEnded()).toBe(false)
    }
    at(60)
    expect(await run()).toEqual({ outcome: 'done' })
    for (const reader of readers) {
      await reader.wait('closed', ({ reason }) => reason === 'window_ended')
      expect(reader.events.filter(({ name }) => name === 'closing')).toHaveLength(1)
    }
  })

  // contract: Fields of a RoomEvent › Present participants keep tickets, chat and controls until then
  test('keeps tickets, chat and controls of present participants until their removal', async () => {
    const { roomId, moderator, panelist, at, run } = await lastMinutes()
    at(59)
    await run()
    expect(plane.media.connections.get(roomId)).toHaveLength(2)
    expect((await panelist.post('/ticket')).status).toBe(201)
    const message = {
      id: crypto.randomUUID(),
      visibility: 'public',
      content_type: 'text',
      text: 'x',
    }
    expect((await panelist.post('/messages', message)).status).toBe(201)
    expect((await moderator.post('/recording/start')).status).toBe(200)
    expect((await moderator.post('/recording/stop')).status).toBe(200)
    await expect(live.enter(roomId, 'panelist')).rejects.toThrow('OUTSIDE_TIME_WINDOW')
    at(60)
    await run()
    expect(plane.media.connections.get(roomId)).toEqual([])
    for (const guest of [moderator, panelist]) {
      const answer = await guest.post('/ticket')
      expect(answer).toMatchObject({ status: 422, code: 'OUTSIDE_TIME_WINDOW' })
    }
  })

  test('is announced and published again after the slot was moved', async () => {
    const { roomId, at, run } = await lastMinutesOfARoom()
    // Admitted while the media server is away.
    const waiting = await (await live.enter(roomId, 'panelist')).listen()
    at(0)
    await run()
    at(60)
    await run()
    await waiting.wait('closed')

    const moved = await moveSlot(roomId)
    const panelist = await rooms.come(roomId, 'panelist')
    const reader = await panelist.listen()
    moved.at(0)
    expect(await moved.run()).toEqual({ outcome: 'again', at: moved.after(60) })
    expect(await moved.run()).toEqual({ outcome: 'again', at: moved.after(60) })
    expect(await reader.wait('closing')).toEqual({ at: moved.after(60).toISOString() })
    moved.at(60)
    await moved.run()
    await reader.wait('closed', ({ reason }) => reason === 'window_ended')
    expect(reader.events.filter(({ name }) => name === 'closing')).toHaveLength(1)
  })

  // contract: Fields of a RoomEvent › session.window_ended, once for each end of a moved slot
  test('is a room event of each end of a moved slot', async () => {
    const { roomId, at, run } = await lastMinutesOfARoom()
    const early = await live.enter(roomId, 'panelist')
    plane.media.connect(roomId, early.participantId)
    at(60)
    await run()
    const moved = await moveSlot(roomId)
    for (const sec of [60, 61]) {
      plane.media.connect(roomId, early.participantId)
      moved.at(sec)
      await moved.run()
    }
    const { data } = await plane.tenant.get(
      `/rooms/${roomId}/room-events?event_type=session.window_ended`,
    )
    expect(data.items).toHaveLength(2)
  })

  test('is ignored in a room that was closed', async () => {
    const { moderator, at, run } = await lastMinutes()
    await moderator.post('/close')
    at(0)
    expect(await run()).toEqual({ outcome: 'done' })
  })

  test('does not end a slot that is moved while the media server is asked who is there', async () => {
    const { roomId, at, run } = await lastMinutesOfARoom()
    // Admitted but not connected.
    const waiting = await (await live.enter(roomId, 'panelist')).listen()
    at(60)
    const moving = whileAsked(`listConnections ${roomId}`, () => moveSlot(roomId))
    await run()
    const moved = await moving
    const closed = await plane.database.db`
      select 1 from live_events where room_id = ${roomId} and name = 'closed'
    `
    expect(closed).toEqual([])
    moved.at(60)
    await moved.run()
    await waiting.wait('closed', ({ reason }) => reason === 'window_ended')
    expect(waiting.events.map(({ name }) => name).filter(isOfTheEnd)).toEqual(['window', 'closed'])
  })

  test('does not announce the end of a slot that is moved while rooms are reconciled', async () => {
    const { roomId, at } = await lastMinutesOfARoom()
    const waiting = await (await live.enter(roomId, 'panelist')).listen()
    at(0)
    const moving = whileAsked('listRooms', () => moveSlot(roomId))
    await rooms.run(reconcilePass(plane.deps))
    const moved = await moving
    moved.at(0)
    await moved.run()
    const announced = await waiting.wait('closing')
    expect(announced).toEqual({ at: moved.after(60).toISOString() })
    expect(waiting.events.map(({ name }) => name).filter(isOfTheEnd)).toEqual(['window', 'closing'])
  })
})
