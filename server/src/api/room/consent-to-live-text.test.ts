import { expect, test } from 'vitest'
import { noteLiveEngines } from '../../domain/people/live-text-request.ts'
import { setLiveText } from '../../platform/tenants/live-text.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { connectMedia } from '../../testing/entries.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

const isDeclined = ({ roster }: { roster: { consents?: { transcription?: string } }[] }) =>
  roster[0]?.consents?.transcription === 'declined'

// contract: enterRoom › `consents` have `transcription` for a panelist, in a room with live text
// contract: enterRoom › Without an engine of live text, nobody is asked about it
// contract: postRoomEvent › Consent events with `purpose: transcription` turn nobody away
test.each([
  ['off', null, 'local', undefined],
  ['off', 'everyone', 'local', undefined],
  ['staff', null, 'local', 'pending'],
  ['everyone', 'staff', 'local', 'pending'],
  ['everyone', 'off', 'local', undefined],
  ['everyone', 'everyone', 'no', undefined],
] as const)(
  'consent to live text is asked by a tenant with %s in a room with %s and %s engine: %s',
  async (whole, own, engine, state) => {
    const { db } = plane.database
    await noteLiveEngines(db, engine === 'no' ? [] : [engine])
    const { tenantId } = plane.tenant
    const roomId = await rooms.book('always')
    await db`update rooms set live_text = ${own} where id = ${roomId}`
    await setLiveText(db, { tenantId, audience: whole })
    const panelist = await live.enter(roomId, 'panelist')
    await connectMedia(plane, { roomId, identity: panelist.participantId })
    const answer = (word: string, purpose: string) =>
      panelist.post('/events', { event_type: `consent.${word}`, payload: { purpose } })
    await answer('given', 'recording')
    const staff = await (await live.enter(roomId, 'moderator')).listen()
    const { roster } = await staff.wait('snapshot')
    expect(roster[0]?.consents?.transcription).toBe(state)
    if (state === undefined) return
    const { status } = await answer('declined', 'transcription')
    expect(status).toBe(201)
    await staff.wait('roster', isDeclined)
    const renewed = await panelist.post('/ticket')
    expect(renewed.status).toBe(201)
    expect(plane.media.signed.get(panelist.participantId)).toMatchObject({ mayPublish: true })
  },
)
