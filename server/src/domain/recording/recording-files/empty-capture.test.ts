import type { CaptureEvent } from '@interview-room/composer/capture/capture-events.ts'
import { describe, expect, test } from 'vitest'
import type { Egress } from '../../../platform/ports/egress.ts'
import { useCapturedRooms } from '../../../testing/captured-rooms.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { reconcilePass } from '../../../testing/reconcile-pass.ts'
import { useRecordedRooms } from '../../../testing/recorded-rooms.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const {
  becomesAvailable,
  compose,
  deliversChunk,
  deliversChunks,
  recorderBegins,
  recording,
  settle,
} = useCapturedRooms(plane, rooms)

/** The recorder begins, and is killed before the first frame. */
async function deliversOnlyItsBeginning(egress: Egress): Promise<void> {
  const startMs = egress.startedAt?.getTime() ?? 0
  const beginning: CaptureEvent[] = [
    { fact: 'joined', atMs: startMs - 50, participant: 'a', name: '' },
    { fact: 'active', atMs: startMs },
  ]
  await deliversChunk(egress, 1, beginning)
}

async function recorderIsLost({ roomId, egress }: { roomId: string; egress: Egress }) {
  plane.media.loseWorkerOf(egress.egressId)
  plane.media.disconnect(roomId, egress.egressId)
  await rooms.run(reconcilePass(plane.deps))
  plane.now = new Date(Math.max(plane.now.getTime(), Date.now()))
}

/** Moves past the grace period in which it could report why it left. */
async function isGivenUp(): Promise<void> {
  rooms.later(31_000)
  await settle()
}

describe('a recorder that is killed right after it began', () => {
  test('leaves a recording that fails as aborted at the first attempt to make its file', async () => {
    const { roomId, moderator, egress } = await recording()
    await deliversOnlyItsBeginning(egress)
    await recorderIsLost({ roomId, egress })
    await moderator.post('/recording/stop')
    await isGivenUp()
    await compose()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('failed')
    const failed = await plane.tenant.get(
      `/rooms/${roomId}/room-events?event_type=recording.failed`,
    )
    expect(failed.data).toMatchObject({
      items: [{ payload: { failure_reason: 'provider_aborted', recording_id: id } }],
    })
  })

  test('leaves its person out of an individual recording', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await rooms.come(roomId, 'panelist')
    await moderator.post('/recording/start', { output_mode: 'individual' })
    await settle()
    rooms.becomesActive(roomId)
    await settle()
    for (const egress of rooms.egressesOf(roomId)) {
      const isOfModerator = egress.spec.identity === moderator.participantId
      if (isOfModerator) await deliversOnlyItsBeginning(egress)
      else await deliversChunks(egress, [1, 2])
    }
    rooms.later(10_000)
    await moderator.post('/recording/stop')
    for (const { egressId, startedAt } of rooms.egressesOf(roomId)) {
      const file = { sizeBytes: 1, durationSec: 2 }
      plane.media.moveEgress(egressId, { status: 'complete', file, startedAt, endedAt: plane.now })
    }
    await settle()
    await compose()
    expect(await becomesAvailable(roomId)).toBeCloseTo(2, 1)
    expect(await rooms.roomEventsOf(roomId)).toContain('recording.failed')
  })

  test('does not affect the rest of the recording', async () => {
    const { roomId, moderator, egress } = await recording()
    await deliversOnlyItsBeginning(egress)
    await recorderIsLost({ roomId, egress })
    await isGivenUp()
    const next = rooms.lastEgressOf(roomId)
    expect(next.egressId).not.toBe(egress.egressId)
    await recorderBegins(roomId)
    await deliversChunks(rooms.lastEgressOf(roomId), [1, 2])
    rooms.later(10_000)
    await recorderIsLost({ roomId, egress: next })
    await moderator.post('/recording/stop')
    await isGivenUp()
    expect(await becomesAvailable(roomId)).toBeCloseTo(2, 1)
    expect(await rooms.roomEventsOf(roomId)).not.toContain('recording.failed')
  })
})
