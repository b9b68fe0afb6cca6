import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../../testing/live-room.ts'
import { reconcilePass } from '../../../testing/reconcile-pass.ts'
import { MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { updateMediaRightsJob } from '../../people/update-media-rights.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

const say = (guest: Guest, answer: 'given' | 'declined' | 'withdrawn') =>
  guest.post('/events', { event_type: `consent.${answer}` })

/** A person with video and audio who has not been asked. */
async function comeUnasked(roomId: string): Promise<Guest> {
  const panelist = await live.enter(roomId, 'panelist')
  plane.media.connect(roomId, panelist.participantId, plane.now)
  plane.media.publish(roomId, panelist.participantId)
  await rooms.run(reconcilePass(plane.deps))
  return panelist
}

const refusalOf = ({ participantId }: Guest) => ({
  status: 422,
  code: 'VALIDATION_ERROR',
  details: [[`participants.${participantId}`, 'CONSENT_REQUIRED']],
})

describe('a start by a moderator', () => {
  // contract: startRecording › 422 VALIDATION_ERROR with CONSENT_REQUIRED, by name
  // contract: Detail codes › `CONSENT_REQUIRED`
  test('is refused, with names, until all present participants who are asked have agreed', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await rooms.come(roomId, 'panelist')
    const unasked = await comeUnasked(roomId)
    expect(await moderator.post('/recording/start')).toMatchObject(refusalOf(unasked))
    await say(unasked, 'declined')
    expect(await moderator.post('/recording/start')).toMatchObject(refusalOf(unasked))
    expect(rooms.egressesOf(roomId)).toHaveLength(0)
    await say(unasked, 'given')
    expect(await moderator.post('/recording/start')).toMatchObject({ status: 200 })
  })

  test('is also refused for a person whose entry is not stored yet', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const unasked = await live.enter(roomId, 'panelist')
    plane.media.connect(roomId, unasked.participantId, plane.now)
    expect(await moderator.post('/recording/start')).toMatchObject(refusalOf(unasked))
    expect(rooms.egressesOf(roomId)).toHaveLength(0)
    await say(unasked, 'given')
    expect(await moderator.post('/recording/start')).toMatchObject({ status: 200 })
  })

  test('does not wait for staff and invisible people', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await rooms.come(roomId, 'observer')
    expect(await moderator.post('/recording/start')).toMatchObject({ status: 200 })
  })

  test('does not wait for a person who has left', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const panelist = await rooms.come(roomId, 'panelist')
    await say(panelist, 'withdrawn')
    expect(await moderator.post('/recording/start')).toMatchObject(refusalOf(panelist))
    await panelist.leave()
    expect(await moderator.post('/recording/start')).toMatchObject({ status: 200 })
  })

  test('is refused when a person withdraws consent before it has begun', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const panelist = await rooms.come(roomId, 'panelist')
    plane.media.onCall = async (call) => {
      if (!call.startsWith('startEgress')) return
      plane.media.onCall = undefined
      await say(panelist, 'withdrawn')
    }
    expect(await moderator.post('/recording/start')).toMatchObject(refusalOf(panelist))
    expect(await rooms.recordingsOf(roomId)).toEqual([])
  })

  // contract: resumeRecording › 422 VALIDATION_ERROR with CONSENT_REQUIRED
  test('is also refused after a pause', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    await moderator.post('/recording/pause')
    const unasked = await comeUnasked(roomId)
    expect(await moderator.post('/recording/resume')).toMatchObject(refusalOf(unasked))
    await say(unasked, 'given')
    expect(await moderator.post('/recording/resume')).toMatchObject({
      data: { recording: { status: 'started' } },
    })
  })
})

describe('a running recording', () => {
  // contract: enterRoom › A refused consent ends the recording
  test.each(['declined', 'withdrawn'] as const)(
    'ends immediately when a present participant has %s, and keeps what was recorded',
    async (answer) => {
      const roomId = await rooms.book('manual')
      const moderator = await rooms.come(roomId, 'moderator')
      const panelist = await rooms.come(roomId, 'panelist')
      const reader = await moderator.listen()
      await moderator.post('/recording/start')
      rooms.becomesActive(roomId)
      await rooms.settle()
      expect(await say(panelist, answer)).toMatchObject({ status: 201 })
      expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
      expect(rooms.lastEgressOf(roomId).status).toBe('ending')
      await reader.wait('fact', ({ type }) => type === `consent.${answer}`)
      await reader.wait('recording', ({ recording }) => recording?.status === 'stopped')
      reader.close()
      rooms.completes(rooms.lastEgressOf(roomId))
      await rooms.settle()
      expect((await rooms.recordingOf(roomId)).status).toBe('available')
    },
  )

  test('ends when a person who declined enters', async () => {
    const roomId = await rooms.book('always')
    await rooms.come(roomId, 'moderator')
    const declining = await live.enter(roomId, 'panelist')
    await rooms.settle()
    await say(declining, 'declined')
    // Declining before entering a room that is always recorded means not entering.
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
    plane.media.connect(roomId, declining.participantId, plane.now)
    await rooms.run(reconcilePass(plane.deps))
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
  })

  test('continues when a moderator answers without being asked', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    await say(moderator, 'declined')
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
  })
})

describe('an automatic recording', () => {
  test('waits for the consent of all present participants', async () => {
    const roomId = await rooms.book('always')
    await rooms.come(roomId, 'moderator')
    const unasked = await comeUnasked(roomId)
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(0)
    await say(unasked, 'given')
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
  })

  test('does not start again while somebody inside has withdrawn', async () => {
    const roomId = await rooms.book('always')
    await rooms.come(roomId, 'moderator')
    const panelist = await rooms.come(roomId, 'panelist')
    await rooms.settle()
    rooms.becomesActive(roomId)
    await rooms.settle()
    await say(panelist, 'withdrawn')
    rooms.completes(rooms.lastEgressOf(roomId))
    await rooms.settle()
    rooms.later(5 * MINUTE_MS)
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
    await say(panelist, 'given')
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(2)
  })
})

const ALL = { mayPublish: true, mayReceive: true }
const MUTE = { mayPublish: false, mayReceive: true }
const signedFor = ({ participantId }: Guest) => plane.media.signed.get(participantId)
/** The rights that the provider enforces. */
const rightsOf = ({ roomId, participantId }: Guest) =>
  plane.media.connections.get(roomId)?.find(({ identity }) => identity === participantId)?.rights

async function updateRights(): Promise<void> {
  await runJobs(plane.database.db, updateMediaRightsJob(plane.deps))
}

async function connect({ roomId, participantId }: Guest): Promise<void> {
  plane.media.connect(roomId, participantId, plane.now)
  await rooms.run(reconcilePass(plane.deps))
  await updateRights()
}

describe('while a moderator records', () => {
  // contract: enterRoom › Nobody publishes while a room is recorded before consent
  test.each(['start', 'pause'] as const)(
    'a person who enters after the %s publishes once they have agreed',
    async (command) => {
      const roomId = await rooms.book('manual')
      const moderator = await rooms.come(roomId, 'moderator')
      await moderator.post('/recording/start')
      if (command === 'pause') await moderator.post('/recording/pause')
      const late = await live.enter(roomId, 'panelist')
      expect(signedFor(late)).toEqual(MUTE)
      await connect(late)
      await late.post('/ticket')
      expect([signedFor(late), rightsOf(late)]).toEqual([MUTE, MUTE])
      await say(late, 'given')
      expect(rightsOf(late)).toEqual(ALL)
    },
  )

  test('a token from before the recording lets nobody publish who has not agreed', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const late = await live.enter(roomId, 'panelist')
    expect(signedFor(late)).toEqual(ALL)
    expect(await moderator.post('/recording/start')).toMatchObject({ status: 200 })
    await connect(late)
    expect(rightsOf(late)).toEqual(MUTE)
  })

  test.each(['is over', 'was ended by their refusal'])(
    'a person who has not agreed may publish again when the recording %s',
    async (end) => {
      const roomId = await rooms.book('manual')
      const moderator = await rooms.come(roomId, 'moderator')
      await moderator.post('/recording/start')
      const late = await live.enter(roomId, 'panelist')
      await connect(late)
      if (end === 'is over') await moderator.post('/recording/stop')
      else await say(late, 'declined')
      await updateRights()
      expect(rightsOf(late)).toEqual(ALL)
    },
  )

  test('a person who reconnects with a token from the recording may publish if it has ended meanwhile', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    const late = await live.enter(roomId, 'panelist')
    await connect(late)
    plane.media.disconnect(roomId, late.participantId)
    await moderator.post('/recording/stop')
    await updateRights()
    await connect(late)
    expect(rightsOf(late)).toEqual(ALL)
  })
})
