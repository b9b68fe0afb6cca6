import { afterEach, describe, expect, test } from 'vitest'
import { resetBranding, setBranding } from '../../platform/tenants/branding.ts'
import { setReturnUrl, setStaffReview } from '../../platform/tenants/consent-settings.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'
import { toAnswer } from '../../testing/tenant-client.ts'
import { callAsViewer } from '../../testing/viewer-calls.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

const PERSON = { external_type: 'User', external_id: 'departing' }

type Role = 'moderator' | 'observer' | 'panelist' | 'platform_observer'

const ask = async (roomId: string, { token, body = {} }: { token?: string; body?: object }) =>
  toAnswer(
    await plane.app.inject({
      method: 'POST',
      url: `/api/v1/rooms/${roomId}/live/farewell`,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      payload: body,
    }),
  )

/** The farewell of the person who enters with the same claims. */
async function farewellOf(roomId: string, role: Role, participant: object = PERSON) {
  const token = await live.acting.signToken({ roomId, role, participant })
  return ask(roomId, { token })
}

const enter = (roomId: string, role: Role) => live.enter(roomId, role, { participant: PERSON })
const close = (roomId: string) => plane.tenant.post(`/rooms/${roomId}/close`)

afterEach(async () => {
  const { tenantId } = plane.tenant
  await resetBranding(plane.database.db, tenantId)
})

describe('the farewell', () => {
  // contract: readFarewell › 200 with `role`, `has_entered` and `session`, also after the close
  // contract: readFarewell › `consent_texts`: `language`, `version`, `company`, `purpose`, `retention`
  //   and `contact`; `branding`: `name`, `logo_url`, `palette` with `light` and `dark`, `help_contact`
  test('tells a panelist of a closed room what happens with the data, and nothing of the recording', async () => {
    const { tenantId } = plane.tenant
    await setBranding(plane.database.db, tenantId, {
      name: '調査会社',
      helpContact: '03-0000-0000',
    })
    const { id: roomId, session } = await plane.book({ archiveMode: 'always', startsInMin: 1 })
    await enter(roomId, 'panelist')
    await close(roomId)
    const { status, data } = await farewellOf(roomId, 'panelist')
    expect(status).toBe(200)
    expect(data).toMatchObject({
      role: 'panelist',
      has_entered: true,
      session: { starts_at: session.starts_at, ends_at: session.ends_at },
      recording: null,
      markers: [],
      consent_texts: [{ language: 'ja' }, { language: 'en' }],
      branding: { name: '調査会社', help_contact: '03-0000-0000' },
    })
  })

  // contract: readFarewell › `return_url`: panelists and staff have one each
  test('names the page where the person may go', async () => {
    const { tenantId } = plane.tenant
    const { db } = plane.database
    const urls = ['https://example.com/thanks', 'https://example.com/interviews'] as const
    await setReturnUrl(db, { tenantId, returnUrl: urls[0], isForStaff: false })
    await setReturnUrl(db, { tenantId, returnUrl: urls[1], isForStaff: true })
    const roomId = await rooms.book('manual')
    expect((await farewellOf(roomId, 'panelist')).data.return_url).toBe(urls[0])
    expect((await farewellOf(roomId, 'observer')).data.return_url).toBe(urls[1])
    expect((await farewellOf(roomId, 'moderator')).data.return_url).toBe(urls[1])
  })

  // contract: readFarewell › `recording`: `id`, `status`, `recorded_sec` and `estimated_available_at`, for staff
  test('shows staff the recording as it becomes available', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    expect((await farewellOf(roomId, 'observer')).data.recording).toBeNull()
    await moderator.post('/recording/start')
    rooms.becomesActive(roomId)
    await rooms.settle()
    const { id } = await rooms.recordingOf(roomId)
    const recordingNow = async () => (await farewellOf(roomId, 'observer')).data.recording
    expect(await recordingNow()).toMatchObject({ id, status: 'started' })

    rooms.later(10_000)
    await close(roomId)
    await rooms.settle()
    expect(await recordingNow()).toMatchObject({ status: 'stopped', estimated_available_at: null })
    rooms.completes(rooms.lastEgressOf(roomId))
    await rooms.settle()
    expect(await recordingNow()).toEqual({
      id,
      status: 'available',
      recorded_sec: 42.5,
      estimated_available_at: null,
    })
    expect((await farewellOf(roomId, 'panelist')).data.recording).toBeNull()
  })

  // contract: readFarewell › `review_url`: the review room, for staff whom the tenant allows it, once there is a recording
  test('leads staff to the review room, as far as the tenant allows it', async () => {
    const { tenantId } = plane.tenant
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await setStaffReview(plane.database.db, tenantId, ['watch', 'comment'])
    const urlOf = async (role: Role) => (await farewellOf(roomId, role)).data.review_url
    await enter(roomId, 'observer')
    expect(await urlOf('observer')).toBeNull()
    await moderator.post('/recording/start')
    rooms.becomesActive(roomId)
    await rooms.settle()
    await close(roomId)
    const url = String(await urlOf('observer'))
    expect(url).toContain(`/v/rooms/${roomId}#token=`)
    const token = url.split('#token=')[1] ?? ''
    const review = await callAsViewer(plane.app, ['GET', '/review'], { token })
    expect(review.data).toMatchObject({ room_id: roomId, may: ['watch', 'comment'] })
    expect(await urlOf('panelist')).toBeNull()
    await setStaffReview(plane.database.db, tenantId, [])
    expect(await urlOf('observer')).toBeNull()
  })

  // contract: readFarewell › `markers` of the person, with `type`, `participant_id`, `identity`, `display_name`,
  //   `payload` and `created_at`
  test('has the markers of the person in all roles, private ones included, and of nobody else', async () => {
    const roomId = await rooms.book('manual')
    const mark = { event_type: 'marker' }
    const observer = await enter(roomId, 'observer')
    await observer.post('/events', { ...mark, payload: { note: 'first', is_private: true } })
    const moderator = await enter(roomId, 'moderator')
    await moderator.post('/events', { ...mark, payload: { note: 'second' } })
    const other = await live.enter(roomId, 'observer')
    await other.post('/events', { ...mark, payload: { note: 'of another' } })
    await close(roomId)
    const { data } = await farewellOf(roomId, 'observer')
    expect(data.markers).toEqual([
      {
        type: 'marker',
        participant_id: observer.participantId,
        identity: observer.participantId,
        display_name: expect.any(String),
        payload: { note: 'first', is_private: true },
        created_at: expect.any(String),
      },
      expect.objectContaining({ payload: { note: 'second' } }),
    ])
  })

  test('is there for a cancelled session, and after the window', async () => {
    const { id: cancelled, session } = await plane.book({ startsInMin: 120 })
    await plane.tenant.delete(`/sessions/${session.id}`)
    expect(await farewellOf(cancelled, 'moderator')).toMatchObject({
      status: 200,
      data: { has_entered: false },
    })
    const over = await rooms.book('manual')
    await enter(over, 'observer')
    await plane.database.db`
      update sessions set starts_at = starts_at - interval '1 day', ends_at = ends_at - interval '1 day'
       where room_id = ${over}
    `
    expect(await farewellOf(over, 'observer')).toMatchObject({
      status: 200,
      data: { has_entered: true },
    })
  })

  // contract: readFarewell › `recording` and `markers` are empty for the banned
  test('gives a banned person neither the recording nor the markers', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    const observer = await enter(roomId, 'observer')
    await observer.post('/events', { event_type: 'marker' })
    expect((await farewellOf(roomId, 'observer')).data.markers).toHaveLength(1)
    const path = `/rooms/${roomId}/participants/${observer.participantId}/ban`
    await plane.tenant.post(path, { reason: 'test' })
    expect(await farewellOf(roomId, 'observer')).toMatchObject({
      status: 200,
      data: { recording: null, markers: [] },
    })
  })

  // contract: readFarewell › The simple route
  // contract: readFarewell › 401 UNAUTHORIZED without a credential, and for a wrong access token
  test('takes the access token of the simple route', async () => {
    const { id: roomId, session } = await plane.book({ startsInMin: 1 })
    const { data } = await plane.tenant.get(`/sessions/${session.id}`)
    await close(roomId)
    const body = { access_token: data.access_token }
    expect(await ask(roomId, { body })).toMatchObject({
      status: 200,
      data: { role: 'panelist', has_entered: false, recording: null, markers: [] },
    })
    const wrong = { access_token: 'x'.repeat(43) }
    expect(await ask(roomId, { body: wrong })).toMatchObject({ status: 401 })
    expect(await ask(roomId, {})).toMatchObject({ status: 401 })
  })

  // contract: readFarewell › 400 UNKNOWN_ROLE
  // contract: readFarewell › 404 NOT_FOUND for a room of another tenant, and for a connection test
  test('is refused for an unknown role, and in a room that the token does not open', async () => {
    const roomId = await rooms.book('manual')
    const king = await live.acting.signToken({ roomId, role: 'king', participant: PERSON })
    expect(await ask(roomId, { token: king })).toMatchObject({ code: 'UNKNOWN_ROLE' })
    const { data: foreign } = await plane.other.post('/connection-tests', {})
    const { data: tested } = await plane.tenant.post('/connection-tests', {})
    for (const id of [foreign.room_id, tested.room_id]) {
      expect(await farewellOf(id, 'observer')).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    }
  })
})
