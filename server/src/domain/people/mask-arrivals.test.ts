import { afterEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/db.ts'
import type { JobOutcome } from '../../platform/jobs/job.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { connectMedia } from '../../testing/entries.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { closeEntry } from './close-entries.ts'
import { maskArrivalsJob } from './mask-arrivals.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const stop = new AbortController()

afterEach(() => plane.media.reset())

/** A room that a panelist has entered. */
async function enteredRoom(): Promise<{ roomId: string; mediaSid: string }> {
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  const { participantId: identity } = await live.enter(roomId, 'panelist')
  return { roomId, mediaSid: await connectMedia(plane, { roomId, identity }) }
}

const run = (roomId: string, signal = stop.signal): Promise<JobOutcome> =>
  maskArrivalsJob(plane.deps).run({
    key: roomId,
    payload: {},
    attempt: 1,
    signal,
    log: plane.deps.log,
  })

const masksIn = (roomId: string) =>
  plane.media.calls.filter((call) => call === `maskArrivals ${roomId}`).length

describe('arrivals in a room', () => {
  test('are masked from the first entry on, whoever entered', async () => {
    const { id: roomId } = await plane.book({ startsInMin: 1 })
    const jobs = () =>
      plane.database.db`select key from jobs where kind = 'mask-arrivals' and key = ${roomId}`
    expect(await jobs()).toEqual([])
    const { participantId: identity } = await live.enter(roomId, 'panelist')
    await connectMedia(plane, { roomId, identity })
    expect(await jobs()).toEqual([{ key: roomId }])
  })

  test('are masked until the last person has left', async () => {
    plane.media.masksArrivals = true
    const { roomId, mediaSid } = await enteredRoom()
    plane.media.onCall = async () => {
      if (masksIn(roomId) < 3) return
      await inTransaction(plane.database.db, (tx) =>
        closeEntry(tx, { roomId, mediaSid, at: plane.now }),
      )
    }
    expect(await run(roomId)).toEqual({ outcome: 'done' })
    expect(masksIn(roomId)).toBe(3)
  })

  test('are not masked where the provider reports none', async () => {
    const { roomId } = await enteredRoom()
    expect(await run(roomId)).toEqual({ outcome: 'done' })
    expect(masksIn(roomId)).toBe(1)
  })

  test('are masked again after a failure, which the interview does not notice', async () => {
    plane.media.masksArrivals = true
    const { roomId } = await enteredRoom()
    plane.media.isDown = true
    await expect(run(roomId)).rejects.toThrow(MediaError)
    const { retryAfterSec } = maskArrivalsJob(plane.deps)
    expect([1, 2, 50].map((failures) => retryAfterSec?.(failures, roomId))).toEqual([1, 2, 10])
    const { data } = await plane.tenant.get(`/rooms/${roomId}/entry-histories`)
    expect(data.items).toMatchObject([{ role: 'panelist', left_at: null }])
  })

  test('are masked by another process when this one stops', async () => {
    plane.media.masksArrivals = true
    const { roomId } = await enteredRoom()
    const stopping = new AbortController()
    plane.media.onCall = () => stopping.abort(new Error('stop'))
    await expect(run(roomId, stopping.signal)).rejects.toThrow('stop')
  })
})
