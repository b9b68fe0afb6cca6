import { expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { reconcilePass } from '../../testing/reconcile-pass.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { updateMediaRightsJob } from './update-media-rights.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

const ALL = { mayPublish: true, mayReceive: true }
const MUTE = { mayPublish: false, mayReceive: true }

/** The rights that the provider enforces. */
const rightsOf = ({ roomId, participantId }: Guest) =>
  plane.media.connections.get(roomId)?.find(({ identity }) => identity === participantId)?.rights

const runJob = () => runJobs(plane.database.db, updateMediaRightsJob(plane.deps))

/** A panelist who has not been asked about a recording. */
async function comeUnasked(roomId: string): Promise<Guest> {
  const panelist = await live.enter(roomId, 'panelist')
  plane.media.connect(roomId, panelist.participantId, plane.now)
  await rooms.run(reconcilePass(plane.deps))
  await runJob()
  return panelist
}

/** Lets a moderator change another person's rights, and runs `act` while the provider lists the connections. */
async function whileRightsChange(
  { moderator, panelist }: { moderator: Guest; panelist: Guest },
  act: () => Promise<void>,
): Promise<void> {
  let isFirst = true
  plane.media.onCall = async (call) => {
    if (!isFirst || call !== `listConnections ${moderator.roomId}`) return
    isFirst = false
    await act()
  }
  const answer = await moderator.post(`/participants/${panelist.participantId}/screen/allow`)
  plane.media.onCall = undefined
  expect(answer.status).toBe(200)
}

test('a person who enters a recording that began while rights were being changed may not publish', async () => {
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  const panelist = await rooms.come(roomId, 'panelist')
  let unasked: Guest | undefined
  await whileRightsChange({ moderator, panelist }, async () => {
    expect((await moderator.post('/recording/start')).status).toBe(200)
    unasked = await comeUnasked(roomId)
    expect(rightsOf(unasked)).toEqual(MUTE)
  })
  expect(unasked && rightsOf(unasked)).toEqual(MUTE)
})

test('a person who had not agreed to a recording that ended while rights were being changed may publish', async () => {
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  const panelist = await rooms.come(roomId, 'panelist')
  expect((await moderator.post('/recording/start')).status).toBe(200)
  const unasked = await comeUnasked(roomId)
  expect(rightsOf(unasked)).toEqual(MUTE)
  await whileRightsChange({ moderator, panelist }, async () => {
    expect((await moderator.post('/recording/stop')).status).toBe(200)
    await runJob()
    expect(rightsOf(unasked)).toEqual(ALL)
  })
  expect(rightsOf(unasked)).toEqual(ALL)
})
