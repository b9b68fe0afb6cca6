import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { connectMedia } from '../../testing/entries.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { postNotification, signNotification } from '../../testing/provider-notification.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { applyNotificationsJob } from '../notifications/apply-notifications.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

async function enter(role: Guest['role'] = 'moderator') {
  const { id: roomId } = await plane.book({ startsInMin: 1, archiveMode: 'manual' })
  const guest = await live.enter(roomId, role)
  await connectMedia(plane, { roomId, identity: guest.participantId })
  return guest
}

/** The provider reports an event of the person's connection. */
async function report(
  { roomId, participantId: identity }: Guest,
  event: string,
  source = 'SCREEN_SHARE',
) {
  const body = JSON.stringify({
    id: `EV_${randomUUID()}`,
    event,
    room: { name: roomId },
    ...(event !== 'room_finished' && {
      participant: { identity, sid: `PA_${identity}` },
      track: { sid: `TR_${source}`, source },
    }),
  })
  const authorization = await signNotification(plane.deps, body)
  expect(await postNotification(plane.app, body, authorization)).toBe(200)
  await runJobs(plane.database.db, applyNotificationsJob(plane.deps))
}

async function screensOf(roomId: string): Promise<{ event_type: string; payload: object }[]> {
  const { data } = await plane.tenant.get(`/rooms/${roomId}/room-events`)
  return data.items.filter((event: { event_type: string }) =>
    event.event_type.startsWith('screen.'),
  )
}

const typesOf = async (roomId: string) =>
  (await screensOf(roomId)).map(({ event_type: type }) => type)

describe('the log of the room', () => {
  // contract: listRoomEvents › `screen.started` and `screen.ended` when a person starts and stops to share a
  //   screen, with `participant_id`, `identity` and `display_name`
  test('has when a person starts and stops to share a screen, once each', async () => {
    const guest = await enter()
    for (const event of ['track_published', 'track_unpublished']) {
      await report(guest, event)
      await report(guest, event)
    }
    const { roomId, participantId } = guest
    const payload = expect.objectContaining({
      participant_id: participantId,
      identity: participantId,
      display_name: expect.any(String),
    })
    expect(await screensOf(roomId)).toEqual([
      expect.objectContaining({ event_type: 'screen.started', payload }),
      expect.objectContaining({ event_type: 'screen.ended', payload }),
    ])
    await report(guest, 'track_published')
    expect(await typesOf(roomId)).toEqual(['screen.started', 'screen.ended', 'screen.started'])
  })

  test('has no screen for a camera, a microphone or the sound of a screen', async () => {
    const guest = await enter()
    for (const source of ['CAMERA', 'MICROPHONE', 'SCREEN_SHARE_AUDIO']) {
      await report(guest, 'track_published', source)
      await report(guest, 'track_unpublished', source)
    }
    expect(await typesOf(guest.roomId)).toEqual([])
  })

  test('has no screen of a hidden role', async () => {
    const guest = await enter('observer')
    await report(guest, 'track_published')
    expect(await typesOf(guest.roomId)).toEqual([])
  })

  // contract: listRoomEvents › `screen.ended` for a person who leaves while sharing
  test.each(['participant_left', 'room_finished'])('ends a screen on %s', async (event) => {
    const guest = await enter()
    await report(guest, 'track_published')
    await report(guest, event)
    await report(guest, 'track_unpublished')
    expect(await typesOf(guest.roomId)).toEqual(['screen.started', 'screen.ended'])
  })

  test('does not end a screen when another person leaves', async () => {
    const guest = await enter()
    const other = await live.enter(guest.roomId, 'panelist')
    await connectMedia(plane, { roomId: guest.roomId, identity: other.participantId })
    await report(guest, 'track_published')
    await report(other, 'participant_left')
    expect(await typesOf(guest.roomId)).toEqual(['screen.started'])
  })
})
