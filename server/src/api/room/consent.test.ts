import { randomUUID } from 'node:crypto'
import type { ConsentPolicy, ConsentPurpose } from '@interview-room/contract/consent-rules.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { updateMediaRightsJob } from '../../domain/people/update-media-rights.job.ts'
import {
  setConsentPolicy,
  setConsentText,
  setReturnUrl,
} from '../../platform/tenants/consent-settings.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { say } from '../../testing/live-chat.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { reconcilePass } from '../../testing/reconcile-pass.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { toAnswer } from '../../testing/tenant-client.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

const set = (policy: Partial<ConsentPolicy>) =>
  setConsentPolicy(plane.database.db, plane.tenant.tenantId, policy)

beforeEach(() => set({ recordingConsent: 'ask', observationConsent: 'informed' }))

type Answer = 'given' | 'declined' | 'withdrawn'

const answer = (guest: Guest, word: Answer, purpose: ConsentPurpose = 'recording') =>
  guest.post('/events', {
    event_type: `consent.${word}`,
    payload: { purpose, version: 'default-1', language: 'ja' },
  })

/** Runs whatever was enqueued, as the worker would. */
async function connect(guest: Guest): Promise<void> {
  plane.media.connect(guest.roomId, guest.participantId, plane.now)
  if (guest.role === 'observer') plane.media.hidden.add(guest.participantId)
  await rooms.run(reconcilePass(plane.deps))
  await runJobs(plane.database.db, updateMediaRightsJob(plane.deps))
}

async function leave({ roomId, participantId }: Guest): Promise<void> {
  plane.media.disconnect(roomId, participantId)
  plane.now = new Date(Math.max(plane.now.getTime(), Date.now()))
  // An object that is missing twice is gone.
  await rooms.run(reconcilePass(plane.deps))
  await rooms.run(reconcilePass(plane.deps))
  await runJobs(plane.database.db, updateMediaRightsJob(plane.deps))
}

/** Rights as the provider enforces them. */
const rightsOf = ({ roomId, participantId }: Guest) =>
  plane.media.connections.get(roomId)?.find(({ identity }) => identity === participantId)?.rights
const signedFor = ({ participantId }: Guest) => plane.media.signed.get(participantId)

const messagesOf = async (guest: Guest): Promise<string[]> =>
  (await guest.get('/messages')).data.items.map(({ text }: { text: string }) => text)

const ALL = { mayPublish: true, mayReceive: true }
const MUTE = { mayPublish: false, mayReceive: true }
/** Rights of an observer: not seen, and never allowed to publish. */
const WATCHING = { mayPublish: false, mayReceive: true }
/** Rights of people who wait to observe, and of people who do not take part. */
const WAITING = { mayPublish: false, mayReceive: false }

/** The actions of a panelist in a room besides video and audio. */
const ACTS: readonly ((guest: Guest) => ReturnType<Guest['post']>)[] = [
  (guest) => say(guest, { text: 'hello' }),
  (guest) => {
    const file = { name: 'a.png', mime: 'image/png', size: 10, visibility: 'public' }
    return guest.post('/attachments', file)
  },
  (guest) => guest.post('/events', { event_type: 'hand.raised' }),
  (guest) => guest.post('/events', { event_type: 'help.requested' }),
]

describe('a room that is always recorded', () => {
  // contract: enterRoom › Nobody publishes in a room that is always recorded before consent
  test('lets nobody publish without an answer, and everybody who has agreed', async () => {
    const roomId = await rooms.book('always')
    const panelist = await live.enter(roomId, 'panelist')
    expect(signedFor(panelist)).toEqual(MUTE)
    await connect(panelist)
    expect(rightsOf(panelist)).toEqual(MUTE)
    await panelist.post('/ticket')
    expect(signedFor(panelist)).toEqual(MUTE)

    await answer(panelist, 'given')
    expect(rightsOf(panelist)).toEqual(ALL)
    await panelist.post('/ticket')
    expect(signedFor(panelist)).toEqual(ALL)
    expect(signedFor(await live.enter(roomId, 'moderator'))).toEqual(ALL)
  })

  test.each(['declined', 'withdrawn'] as const)(
    'lets a person who has %s neither publish nor receive, even with an earlier token',
    async (word) => {
      const roomId = await rooms.book('always')
      const panelist = await live.enter(roomId, 'panelist')
      await answer(panelist, 'given')
      await panelist.post('/ticket')
      await connect(panelist)
      expect(rightsOf(panelist)).toEqual(ALL)
      await answer(panelist, word)
      expect(rightsOf(panelist)).toEqual(WAITING)
      await leave(panelist)
      await connect(panelist)
      expect(rightsOf(panelist)).toEqual(WAITING)
      await panelist.post('/ticket')
      expect(signedFor(panelist)).toEqual(WAITING)
    },
  )

  // contract: sendMessage, createAttachment, postRoomEvent › 422 VALIDATION_ERROR, CONSENT_REQUIRED, of a
  //   person who has declined or withdrawn in a room that is always recorded
  test.each(['declined', 'withdrawn'] as const)(
    'takes nothing from a person who has %s but another answer',
    async (word) => {
      const panelist = await live.enter(await rooms.book('always'), 'panelist')
      await answer(panelist, word)
      for (const act of ACTS) {
        const { status, details } = await act(panelist)
        const field = `participants.${panelist.participantId}`
        expect([status, details]).toEqual([422, [[field, 'CONSENT_REQUIRED']]])
      }
      await answer(panelist, 'given')
      for (const act of ACTS) expect(await act(panelist)).toMatchObject({ status: 201 })
    },
  )

  test('takes nothing from a visitor who has declined, either', async () => {
    const { id: roomId, session } = await plane.book({ archiveMode: 'always', startsInMin: 1 })
    const { data } = await plane.tenant.get(`/sessions/${session.id}`)
    const url = `/api/v1/rooms/${roomId}/live`
    const payload = { access_token: data.access_token, name: 'Guest' }
    const entered = await plane.app.inject({ method: 'POST', url: `${url}/entry`, payload })
    const headers = { authorization: `Bearer ${entered.json().data.ticket}` }
    const post = async (path: string, body: object) =>
      (await plane.app.inject({ method: 'POST', url: url + path, headers, payload: body }))
        .statusCode
    const message = { visibility: 'public', content_type: 'text', text: 'hello' }
    const send = () => post('/messages', { id: randomUUID(), ...message })
    expect(await post('/events', { event_type: 'consent.declined' })).toBe(201)
    expect(await send()).toBe(422)
    expect(await post('/events', { event_type: 'consent.given' })).toBe(201)
    expect(await send()).toBe(201)
  })

  test('gives everything back to a person who reconsiders', async () => {
    const participant = { external_type: 'User', external_id: 'reconsiders' }
    const roomId = await rooms.book('always')
    await answer(await live.enter(roomId, 'panelist', { participant }), 'declined')
    const again = await live.enter(roomId, 'panelist', { participant })
    expect(signedFor(again)).toEqual(WAITING)
    await connect(again)
    await answer(again, 'given')
    expect(rightsOf(again)).toEqual(ALL)
    await again.post('/ticket')
    expect(signedFor(again)).toEqual(ALL)
  })

  test('has its rights corrected by a job when the provider was down', async () => {
    const roomId = await rooms.book('always')
    const panelist = await live.enter(roomId, 'panelist')
    await connect(panelist)
    plane.media.isDown = true
    expect(await answer(panelist, 'given')).toMatchObject({ status: 201 })
    plane.media.isDown = false
    expect(rightsOf(panelist)).toEqual(MUTE)
    await runJobs(plane.database.db, updateMediaRightsJob(plane.deps))
    expect(rightsOf(panelist)).toEqual(ALL)
  })
})

test('a person who declines takes part if a moderator decides about recording', async () => {
  const panelist = await live.enter(await rooms.book('manual'), 'panelist')
  expect(signedFor(panelist)).toEqual(ALL)
  await answer(panelist, 'declined')
  await panelist.post('/ticket')
  expect(signedFor(panelist)).toEqual(ALL)
  for (const act of ACTS) expect(await act(panelist)).toMatchObject({ status: 201 })
})

describe('an answer', () => {
  // contract: postRoomEvent › An answer about consent has `purpose`, `version` and `language`
  test('is a room event with purpose, version of the text and language', async () => {
    const roomId = await rooms.book('manual')
    const panelist = await live.enter(roomId, 'panelist')
    const payload = { purpose: 'observation', version: 'default-1', language: 'ja' }
    expect(await answer(panelist, 'given', 'observation')).toMatchObject({ data: { payload } })
    await panelist.post('/events', { event_type: 'consent.given' })
    const { data } = await plane.tenant.get(`/rooms/${roomId}/room-events`)
    expect(data.items).toMatchObject([
      { event_type: 'consent.given', payload },
      { payload: { purpose: 'recording', version: null, language: null } },
    ])
    const late = await (await live.enter(roomId, 'moderator')).listen()
    expect((await late.wait('snapshot')).facts[0]).toMatchObject({ payload })
  })

  test('holds in its room when the text changes, and in no other room', async () => {
    const participant = { external_type: 'User', external_id: 'returning' }
    const first = await rooms.book('always')
    await answer(await live.enter(first, 'panelist', { participant }), 'given')
    const { db } = plane.database
    const words = { company: 'A', purpose: 'b', retention: 'c', contact: 'd' }
    const { tenantId } = plane.tenant
    await setConsentText(db, tenantId, { language: 'ja', version: '3', ...words })
    expect(signedFor(await live.enter(first, 'panelist', { participant }))).toEqual(ALL)
    const second = await live.enter(await rooms.book('always'), 'panelist', { participant })
    expect(signedFor(second)).toEqual(MUTE)
  })

  // contract: postRoomEvent › 422 VALIDATION_ERROR for consent to a `version` that the tenant never had
  test('is consent only to a text that the tenant has or had', async () => {
    const panelist = await live.enter(await rooms.book('manual'), 'panelist')
    const post = (word: Answer, version: string) =>
      panelist.post('/events', { event_type: `consent.${word}`, payload: { version } })
    const refused = await post('given', 'never')
    expect([refused.status, refused.details]).toEqual([422, [['payload.version', 'INVALID_ENUM']]])
    const { db } = plane.database
    const text = {
      language: 'en',
      company: 'A',
      purpose: 'b',
      retention: 'c',
      contact: 'd',
    } as const
    for (const version of ['first', 'second']) {
      await setConsentText(db, plane.tenant.tenantId, { ...text, version })
    }
    for (const version of ['first', 'second']) {
      expect((await post('given', version)).status).toBe(201)
    }
    expect((await post('withdrawn', 'never')).status).toBe(201)
  })

  test('about one purpose says nothing of the other', async () => {
    await set({ observationConsent: 'required' })
    const roomId = await rooms.book('always')
    const panelist = await live.enter(roomId, 'panelist')
    await answer(panelist, 'given', 'observation')
    await panelist.post('/ticket')
    expect(signedFor(panelist)).toEqual(MUTE)
    await answer(panelist, 'given', 'recording')
    await panelist.post('/ticket')
    expect(signedFor(panelist)).toEqual(ALL)
  })

  // contract: postRoomEvent › 400 INVALID_REQUEST for a purpose of anything but consent
  test.each(['purpose', 'version', 'language'])('is the only event with a %s', async (field) => {
    const panelist = await live.enter(await rooms.book('manual'), 'panelist')
    const payload = { purpose: 'recording', version: '1', language: 'en' }[field]
    const body = { event_type: 'hand.raised', payload: { [field]: payload } }
    expect(await panelist.post('/events', body)).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      details: [[`payload.${field}`, 'NOT_ALLOWED']],
    })
  })
})

describe('a tenant that has the consent from elsewhere', () => {
  // contract: enterRoom › A tenant may have the consent from elsewhere
  test('asks nobody, and logs that once in the room', async () => {
    await set({ recordingConsent: 'obtained' })
    const roomId = await rooms.book('always')
    const guests = await Promise.all(
      Array.from({ length: 5 }, () => live.enter(roomId, 'panelist')),
    )
    for (const guest of guests) expect(signedFor(guest)).toEqual(ALL)
    const { data } = await plane.tenant.get(`/rooms/${roomId}/room-events`)
    expect(data.items).toMatchObject([
      { event_type: 'consent.obtained', payload: { purpose: 'recording', by: 'tenant' } },
    ])
  })

  test('waits for nobody before a recording, and is stopped by no answer', async () => {
    await set({ recordingConsent: 'obtained' })
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const panelist = await live.enter(roomId, 'panelist')
    await connect(panelist)
    await answer(panelist, 'declined')
    expect(await moderator.post('/recording/start')).toMatchObject({ status: 200 })
  })
})

describe('when panelists are asked to be observed', () => {
  beforeEach(() => set({ observationConsent: 'required' }))

  // contract: enterRoom › Observers wait until every present panelist agrees to be observed
  test('observers receive nothing until every present panelist has agreed', async () => {
    const roomId = await rooms.book('manual')
    const observer = await live.enter(roomId, 'observer')
    await connect(observer)
    expect(rightsOf(observer)).toEqual(WATCHING)
    const [one, other] = [
      await live.enter(roomId, 'panelist'),
      await live.enter(roomId, 'panelist'),
    ]
    expect(signedFor(one)).toEqual(MUTE)
    await connect(one)
    await connect(other)
    expect(rightsOf(observer)).toEqual(WAITING)
    expect(
      signedFor(await live.enter(roomId, 'platform_observer', { participant: undefined })),
    ).toEqual(WAITING)
    await answer(one, 'given', 'observation')
    expect(rightsOf(one)).toEqual(ALL)
    expect(rightsOf(observer)).toEqual(WAITING)
    await answer(other, 'given', 'observation')
    expect(rightsOf(observer)).toEqual(WATCHING)

    await answer(one, 'withdrawn', 'observation')
    expect(rightsOf(observer)).toEqual(WAITING)
    expect(rightsOf(one)).toEqual(ALL)
    await leave(one)
    expect(rightsOf(observer)).toEqual(WATCHING)
  })

  test('observers never receive anything of a person who declines before entry', async () => {
    const roomId = await rooms.book('manual')
    const observer = await live.enter(roomId, 'observer')
    await connect(observer)
    const panelist = await live.enter(roomId, 'panelist')
    expect(signedFor(panelist)).toEqual(MUTE)
    await answer(panelist, 'declined', 'observation')
    expect(rightsOf(observer)).toEqual(WAITING)
    await panelist.post('/ticket')
    expect(signedFor(panelist)).toEqual(ALL)
  })

  // contract: listMessagesInRoom › The public chat waits for the consent of panelists to be observed
  // contract: streamRoom › The public chat waits for the consent of panelists to be observed
  test('the public chat is hidden from observers until all panelists have agreed', async () => {
    const roomId = await rooms.book('manual')
    const [observer, moderator] = [
      await live.enter(roomId, 'observer'),
      await live.enter(roomId, 'moderator'),
    ]
    const panelist = await live.enter(roomId, 'panelist')
    await connect(panelist)
    const [reader, other] = [await observer.listen(), await moderator.listen()]
    await say(panelist, { text: 'secret' })
    await say(moderator, { text: 'whispered', visibility: 'private' })
    await reader.wait('message', ({ text }) => text === 'whispered')
    await other.wait('message', ({ text }) => text === 'secret')
    expect(reader.raw()).not.toContain('secret')
    expect(await messagesOf(observer)).toEqual(['whispered'])
    expect(await messagesOf(moderator)).toEqual(['whispered', 'secret'])

    await answer(panelist, 'given', 'observation')
    expect(await messagesOf(observer)).toEqual(['whispered', 'secret'])
    await say(panelist, { text: 'open' })
    await reader.wait('message', ({ text }) => text === 'open')
    await answer(panelist, 'withdrawn', 'observation')
    expect(await messagesOf(observer)).toEqual(['whispered'])
    await leave(panelist)
    // People who have left count as agreeing no more than before.
    expect(await messagesOf(observer)).toEqual(['whispered'])
  })

  // contract: streamRoom › Staff receive `consents` of panelists in the roster, `recording` and
  //   `observation`
  test('the roster shows staff how it stands, and panelists nothing of others', async () => {
    const roomId = await rooms.book('manual')
    const panelist = await live.enter(roomId, 'panelist')
    await connect(panelist)
    const staff = await (await live.enter(roomId, 'moderator')).listen()
    const own = await panelist.listen()
    const asked = { recording: 'pending', observation: 'pending' }
    expect((await staff.wait('snapshot')).roster).toMatchObject([{ consents: asked }])
    await answer(panelist, 'declined')
    const declined = { ...asked, recording: 'declined' }
    await staff.wait(
      'roster',
      ({ roster }) => roster[0]?.consents?.recording === declined.recording,
    )
    expect((await own.wait('snapshot')).roster[0]).not.toHaveProperty('consents')
  })
})

/** Asks for the preview without entering. */
const check = async (roomId: string, { token, body = {} }: { token?: string; body?: object }) =>
  toAnswer(
    await plane.app.inject({
      method: 'POST',
      url: `/api/v1/rooms/${roomId}/live/admission-check`,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      payload: body,
    }),
  )

describe('the check before entering', () => {
  const person = { external_type: 'User', external_id: 'checked' }
  const tokenOf = (roomId: string, claims: object = {}) =>
    live.acting.signToken({ roomId, role: 'panelist', participant: person, ...claims })

  // contract: checkAdmission › 200 with what awaits the person, and nobody is admitted
  // contract: checkAdmission › `is_open`, `opens_at`, `closes_at` and `now`
  // contract: checkAdmission › `consents`: `recording` and `observation`
  // contract: checkAdmission › `recording_consent`, `is_consent_obtained`, `observation_consent`
  // contract: checkAdmission › `consent_texts`: `language`, `version`, `company`, `purpose`,
  //   `retention` and `contact`
  test('shows interview, slot, role, name and the texts, and admits nobody', async () => {
    const { id: roomId, session } = await plane.book({ archiveMode: 'always', startsInMin: 1 })
    const seen = await check(roomId, { token: await tokenOf(roomId, { name: 'P-07' }) })
    expect(seen).toMatchObject({
      status: 200,
      data: {
        is_open: true,
        role: 'panelist',
        display_name: 'P-07',
        session: { starts_at: session.starts_at, ends_at: session.ends_at },
        is_recorded: true,
        recording_consent: 'required',
        is_consent_obtained: false,
        observation_consent: 'informed',
        consents: { recording: 'pending', observation: 'not_asked' },
      },
    })
    expect(seen.data.consent_texts.map((each: { language: string }) => each.language)).toEqual([
      'ja',
      'en',
    ])
    const people = await plane.tenant.get(`/rooms/${roomId}/participants`)
    expect(people.data.items).toEqual([])
    const admitted = await plane.database.db`select 1 from admissions where room_id = ${roomId}`
    expect(admitted).toHaveLength(0)
  })

  test('knows the person’s earlier answers', async () => {
    const roomId = await rooms.book('manual')
    await answer(await live.enter(roomId, 'panelist', { participant: person }), 'given')
    const { data } = await check(roomId, { token: await tokenOf(roomId) })
    expect(data.consents.recording).toBe('given')
  })

  // contract: checkAdmission › Early is no refusal
  test('says to the early when the room opens', async () => {
    const { id: roomId, session } = await plane.book({ startsInMin: 120 })
    const opensAt = new Date(Date.parse(session.starts_at) - 30 * 60_000).toISOString()
    const { data } = await check(roomId, { token: await tokenOf(roomId) })
    expect(data).toMatchObject({ is_open: false, opens_at: opensAt })
  })

  // contract: checkAdmission › 401 UNAUTHORIZED without a credential, and for a wrong access token
  // contract: checkAdmission › The simple route
  test('takes the access token of the simple route, without a name', async () => {
    const { id: roomId, session } = await plane.book({ startsInMin: 1 })
    const { data } = await plane.tenant.get(`/sessions/${session.id}`)
    const body = { access_token: data.access_token }
    const shown = { role: 'panelist', display_name: null, is_open: true }
    expect(await check(roomId, { body })).toMatchObject({ status: 200, data: shown })
    const wrong = { access_token: 'x'.repeat(43) }
    expect(await check(roomId, { body: wrong })).toMatchObject({ status: 401 })
    expect(await check(roomId, {})).toMatchObject({ status: 401 })
  })

  // contract: checkAdmission › 409 SESSION_RELEASED, 409 PARTICIPANT_BANNED
  // contract: checkAdmission › 422 OUTSIDE_TIME_WINDOW behind the window
  // contract: checkAdmission › 400 UNKNOWN_ROLE
  // contract: checkAdmission › 422 VALIDATION_ERROR for an anonymous token in another role
  test('refuses as entering does', async () => {
    const roomId = await rooms.book('manual')
    const guest = await live.enter(roomId, 'panelist', { participant: person })
    const king = await tokenOf(roomId, { role: 'king' })
    expect(await check(roomId, { token: king })).toMatchObject({ code: 'UNKNOWN_ROLE' })
    const path = `/rooms/${roomId}/participants/${guest.participantId}/ban`
    await plane.tenant.post(path, { reason: 'test' })
    const banned = await tokenOf(roomId)
    expect(await check(roomId, { token: banned })).toMatchObject({ code: 'PARTICIPANT_BANNED' })

    const anonymous = { participant: undefined, jti: 'one' }
    await live.enter(roomId, 'panelist', anonymous)
    const other = await tokenOf(roomId, { ...anonymous, role: 'observer' })
    expect(await check(roomId, { token: other })).toMatchObject({ code: 'VALIDATION_ERROR' })

    await plane.tenant.post(`/rooms/${roomId}/close`)
    expect(await check(roomId, { token: banned })).toMatchObject({ code: 'SESSION_RELEASED' })
    const gone = await rooms.book('manual')
    await plane.database.db`
      update sessions set starts_at = starts_at - interval '1 day', ends_at = ends_at - interval '1 day'
       where room_id = ${gone}
    `
    const late = await tokenOf(gone)
    expect(await check(gone, { token: late })).toMatchObject({ code: 'OUTSIDE_TIME_WINDOW' })
  })
})

// contract: enterRoom › `return_url`: where the person may go afterwards; panelists and staff have one each
// contract: enterRoom › `consents` by purpose, `recording` and `observation`; `observation_consent`
// contract: enterRoom › `consent_texts`: `language`, `version`, `company`, `purpose`, `retention`
//   and `contact`
test('panelists and staff learn where they may go afterwards', async () => {
  const { tenantId } = plane.tenant
  const returnUrl = 'https://example.com/thanks'
  const staffUrl = 'https://example.com/interviews'
  const { db } = plane.database
  await setReturnUrl(db, { tenantId, returnUrl, isForStaff: false })
  await setReturnUrl(db, { tenantId, returnUrl: staffUrl, isForStaff: true })
  const roomId = await rooms.book('manual')
  for (const [role, expected] of [
    ['panelist', returnUrl],
    ['observer', staffUrl],
  ] as const) {
    const token = await live.acting.signToken({ roomId, role })
    const url = `/api/v1/rooms/${roomId}/live/entry`
    const headers = { authorization: `Bearer ${token}` }
    const { data } = toAnswer(await plane.app.inject({ method: 'POST', url, headers }))
    expect(data.return_url).toBe(expected)
    const asked = role === 'panelist' ? 'pending' : 'not_asked'
    expect(data.consents).toEqual({ recording: asked, observation: 'not_asked' })
    expect(data.room.observation_consent).toBe('informed')
    expect(Object.keys(data.consent_texts[0])).toEqual([
      'language',
      'version',
      'company',
      'purpose',
      'retention',
      'contact',
    ])
  }
})
