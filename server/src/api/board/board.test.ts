import { randomUUID } from 'node:crypto'
import { BOARD_ROOMS_MAX, type BoardRoom } from '@interview-room/contract/board.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { revokeBoardTokens } from '../../domain/board/revoke-board-tokens.ts'
import { watchBoards } from '../../domain/board/watch-boards.ts'
import { createTickets } from '../../domain/people/ticket.ts'
import { WAITS } from '../../platform/config/config.ts'
import { operatorOf } from '../../testing/board.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { connectMedia } from '../../testing/entries.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { addManyRooms } from '../../testing/many-rooms.ts'
import { addRecording } from '../../testing/recordings.ts'
import { toAnswer } from '../../testing/tenant-client.ts'
import { waitFor } from '../../testing/wait-for.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const MINUTE_MS = 60_000
const NOWHERE = '00000000-0000-4000-8000-000000000000'

const bookRoom = async (startsInMin = 0): Promise<string> => (await plane.book({ startsInMin })).id

async function come(roomId: string, role: Role, name: string): Promise<Guest> {
  const guest = await live.enter(roomId, role, { name })
  await connectMedia(plane, { roomId, identity: guest.participantId })
  return guest
}

async function roomOnBoard(roomId: string): Promise<BoardRoom | undefined> {
  const { data } = await (await operatorOf(plane)).get('/rooms')
  return data.rooms.find(({ id }: BoardRoom) => id === roomId)
}

const alarmsOf = async (roomId: string) =>
  ((await roomOnBoard(roomId))?.alarms ?? []).map(({ code }) => code)

async function linkOf(operator: string): Promise<string> {
  await operatorOf(plane, { operator })
  const [row] = await plane.database.db`select id from board_links where operator = ${operator}`
  return row?.['id']
}

const askForHelp = (guest: Guest) => guest.post('/events', { event_type: 'help.requested' })

async function enterBy(connectUrl: string, roomId: string) {
  return toAnswer(
    await plane.app.inject({
      method: 'POST',
      url: `/api/v1/rooms/${roomId}/live/entry`,
      headers: { authorization: `Bearer ${connectUrl.split('#token=')[1]}` },
    }),
  )
}

async function call(method: 'GET' | 'POST', path: string, authorization?: string) {
  const headers = authorization === undefined ? {} : { authorization }
  return toAnswer(await plane.app.inject({ method, url: `/api/v1/board${path}`, headers }))
}

describe('GET /board/rooms', () => {
  // contract: listBoardRooms › 200 with `now`, `expires_at`, `operator`, `rooms`, `has_more`
  // contract: listBoardRooms › A room: `id`, `session` (`name`, `external_type`, `external_id`,
  //   `starts_at`, `ends_at`, `status`), `recording` (`archive_mode`, `status`), `help_requests`
  //   (`display_name`, `note`, `requested_at`), `alarms` (`code`, `since`, `display_name`),
  //   `provider_inspector_url`
  // contract: listBoardRooms › `composed_percent` of the recording while its file is composed, else null;
  //   `estimated_available_at` also while it waits; `missing_sec` when somebody is missing in it
  // contract: listBoardRooms › `people`: `identity`, `participant_id`, `role`, `display_name`,
  //   `in_since`, `line`
  test('answers a room with its slot, people, recording, handout, calls for help and alarms', async () => {
    const { id: roomId, session } = await plane.book({ startsInMin: -6 })
    const panelist = await come(roomId, 'panelist', 'Hanako')
    await come(roomId, 'observer', 'Ken')
    await addRecording(plane, roomId, { status: 'started' })
    await panelist.post('/line', { quality: 'fair' })
    await askForHelp(panelist)
    const { data, status } = await (await operatorOf(plane)).get('/rooms')
    expect(status).toBe(200)
    expect(data).toMatchObject({
      now: plane.now.toISOString(),
      expires_at: expect.any(String),
      operator: { display_name: 'Operator' },
      has_more: false,
    })
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    const person = {
      in_since: time,
      participant_id: expect.any(String),
      identity: expect.any(String),
    }
    expect(data.rooms.find(({ id }: BoardRoom) => id === roomId)).toEqual({
      id: roomId,
      session: {
        name: null,
        external_type: 'Slot',
        external_id: expect.any(String),
        starts_at: session.starts_at,
        ends_at: session.ends_at,
        status: 'active',
      },
      people: [
        { ...person, role: 'panelist', display_name: 'Hanako', line: 'fair', last_test: null },
        { ...person, role: 'observer', display_name: 'Ken', line: null, last_test: null },
      ],
      recording: {
        archive_mode: 'always',
        status: 'started',
        composed_percent: null,
        estimated_available_at: null,
        missing_sec: null,
      },
      presentation: null,
      help_requests: [{ display_name: 'Hanako', note: null, requested_at: time }],
      alarms: [
        { code: 'HELP_REQUESTED', since: time, display_name: 'Hanako' },
        { code: 'MODERATOR_MISSING', since: session.starts_at, display_name: null },
      ],
      provider_inspector_url: null,
    })
  })

  // contract: listBoardRooms › Rooms that can be entered now or within three hours, in the order of
  //   start
  test('shows rooms from three hours before their window until its end, in the order of start', async () => {
    const MOVED_MIN = 32
    const [over, ending, now, soon, later] = [
      await bookRoom(-59),
      await bookRoom(-57),
      await bookRoom(MOVED_MIN),
      await bookRoom(MOVED_MIN + 3 * 60 + 29),
      await bookRoom(MOVED_MIN + 3 * 60 + 31),
    ]
    const before = plane.now
    plane.now = new Date(before.getTime() + MOVED_MIN * MINUTE_MS)
    const { data } = await (await operatorOf(plane)).get('/rooms')
    plane.now = before
    const ids: string[] = data.rooms.map(({ id }: BoardRoom) => id)
    expect(ids.filter((id) => [over, ending, now, soon, later].includes(id))).toEqual([
      ending,
      now,
      soon,
    ])
  })

  // contract: listBoardRooms › Neither closed nor cancelled rooms, nor those of connection tests
  test('shows no closed room, no cancelled one, and no room of a connection test', async () => {
    const [closed, cancelled] = [await bookRoom(), await plane.book({ startsInMin: 60 })]
    await plane.tenant.post(`/rooms/${closed}/close`)
    await plane.tenant.delete(`/sessions/${cancelled.session.id}`)
    await plane.tenant.post('/connection-tests', {})
    const { data } = await (await operatorOf(plane)).get('/rooms')
    const shown = data.rooms.map(({ id }: BoardRoom) => id)
    expect(shown).not.toContain(closed)
    expect(shown).not.toContain(cancelled.id)
    const kinds = await plane.database.db`select distinct kind from rooms where id = any(${shown})`
    expect(kinds.map(({ kind }) => kind)).toEqual(['interview'])
  })

  test('gives the alarm for a missing respondent until one comes', async () => {
    const roomId = await bookRoom(-6)
    await come(roomId, 'moderator', 'Mori')
    await addRecording(plane, roomId, { status: 'started' })
    expect(await alarmsOf(roomId)).toEqual(['RESPONDENT_MISSING'])
    await come(roomId, 'panelist', 'Hanako')
    expect(await alarmsOf(roomId)).toEqual([])
  })

  test('raises POOR_LINE after 30 s of a weak connection, until the page reports better or leaves', async () => {
    const roomId = await bookRoom()
    await addRecording(plane, roomId, { status: 'started' })
    await come(roomId, 'moderator', 'Mori')
    const panelist = await come(roomId, 'panelist', 'Hanako')
    const before = plane.now
    const report = async (quality: string, afterSec: number) => {
      plane.now = new Date(before.getTime() + afterSec * 1000)
      expect((await panelist.post('/line', { quality })).status).toBe(204)
    }
    await report('poor', 0)
    await report('lost', 20)
    plane.now = new Date(before.getTime() + 30_000)
    expect(await alarmsOf(roomId)).toEqual([])
    plane.now = new Date(before.getTime() + 31_000)
    expect((await roomOnBoard(roomId))?.alarms).toEqual([
      { code: 'POOR_LINE', since: before.toISOString(), display_name: 'Hanako' },
    ])
    await report('good', 40)
    expect(await alarmsOf(roomId)).toEqual([])
    await report('poor', 50)
    await plane.database.db`
      update entry_histories set left_at = entered_at where participant_id = ${panelist.participantId}
    `
    plane.now = new Date(before.getTime() + 90_000)
    expect((await roomOnBoard(roomId))?.people).toHaveLength(1)
    expect(await alarmsOf(roomId)).toEqual([])
    plane.now = before
  })

  test('says that a room that is always recorded is not', async () => {
    const roomId = await bookRoom(-10)
    await come(roomId, 'moderator', 'Mori')
    await come(roomId, 'panelist', 'Hanako')
    plane.now = new Date(plane.now.getTime() + 61_000)
    expect(await alarmsOf(roomId)).toEqual(['RECORDING_NOT_ACTIVE'])
    await addRecording(plane, roomId, { status: 'started' })
    expect(await alarmsOf(roomId)).toEqual([])
    plane.now = new Date(plane.now.getTime() - 61_000)
  })

  test('says that a manual recording broke off, until everybody has left', async () => {
    const began = plane.now
    const sec = (count: number) => (plane.now = new Date(began.getTime() + count * 1000))
    const { id: roomId } = await plane.book({ startsInMin: -1, archiveMode: 'manual' })
    const { participantId } = await come(roomId, 'moderator', 'Mori')
    const id = await addRecording(plane, roomId)
    const { db } = plane.database
    await db`update recordings set stop_reason = 'provider' where id = ${id}`
    sec(16)
    expect(await alarmsOf(roomId)).toEqual(['RECORDING_NOT_ACTIVE'])
    await db`update entry_histories set left_at = ${plane.now} where participant_id = ${participantId}`
    sec(80)
    await come(roomId, 'moderator', 'Mori')
    sec(100)
    expect(await alarmsOf(roomId)).toEqual([])
    plane.now = began
  })

  // contract: listBoardRooms › `presentation`: `handout_id`, `file_name`
  test('names the handout that is shown', async () => {
    const roomId = await bookRoom()
    const handoutId = randomUUID()
    const { db } = plane.database
    await db`
      insert into handouts (id, tenant_id, session_id, room_id, seq, file_name, content_type, mime,
                            storage_key, size_bytes, sort, created_at)
      select ${handoutId}, tenant_id, id, room_id, 1, 'plan.png', 'image', 'image/png', 'k', 1, 0,
             now()
        from sessions where room_id = ${roomId}
    `
    const moderator = await live.enter(roomId, 'moderator')
    await moderator.post(`/handouts/${handoutId}/show`)
    const shown = { handout_id: handoutId, file_name: 'plan.png' }
    expect((await roomOnBoard(roomId))?.presentation).toEqual(shown)
    await moderator.post(`/handouts/${handoutId}/hide`)
    expect((await roomOnBoard(roomId))?.presentation).toBeNull()
  })
})

// contract: listBoardRooms › At most 1,000 rooms, `has_more` when there are more; no room with an
//   alarm is left out before one without
test('the board leaves out rooms without an alarm first, those that start last', async () => {
  const { tenantId } = plane.other
  const { db } = plane.database
  const [operator, fromMs] = [await operatorOf(plane, { tenantId }), plane.now.getTime()]
  const startsInMin = Math.round((fromMs - Date.now()) / MINUTE_MS) + 60
  const ids = await addManyRooms(db, { tenantId, count: BOARD_ROOMS_MAX + 2, startsInMin })
  const last = ids.at(-1) ?? ''
  await db`
    insert into room_events (tenant_id, room_id, seq, event_type, payload, created_at)
    values (${tenantId}, ${last}, 1, 'help.requested', '{"display_name": "Hanako"}', now())
  `
  const { data } = await operator.get('/rooms')
  expect(data.has_more).toBe(true)
  expect(data.rooms.map(({ id }: BoardRoom) => id)).toEqual([...ids.slice(0, -3), last])
  await db`update rooms set closed_at = now() where id = any(${ids})`
})

describe('POST /board/rooms/{room_id}/pass', () => {
  // contract: issueBoardEntryToken › 201 with `connect_url`, `expires_at`: the operator enters as
  //   platform_observer, under the internal reference
  test('answers 201 with an address by which the operator enters as platform_observer', async () => {
    const roomId = await bookRoom()
    const { status, data } = await (await operatorOf(plane)).post(`/rooms/${roomId}/pass`)
    expect(status).toBe(201)
    expect(data.connect_url).toMatch(`https://rooms.test/r/${roomId}#token=`)
    expect(Date.parse(data.expires_at)).toBeLessThanOrEqual(plane.now.getTime() + 60 * MINUTE_MS)
    const entered = await enterBy(data.connect_url, roomId)
    expect(entered).toMatchObject({
      status: 201,
      data: { participant: { role: 'platform_observer' } },
    })
    const again = await enterBy(data.connect_url, roomId)
    expect(again.data.participant).toEqual(entered.data.participant)
    const [row] = await plane.database.db`
      select p.platform_user, a.jti, p.display_name from participants p
        join admissions a on a.participant_id = p.id where p.room_id = ${roomId} limit 1
    `
    expect(row).toMatchObject({ platform_user: 'op-1', display_name: 'Operator' })
    expect(row?.['jti']).toMatch(/^[0-9a-f-]{36}$/)
  })

  // contract: issueBoardEntryToken › Admission is still checked: a closed room refuses everybody
  test('is refused by a closed room', async () => {
    const roomId = await bookRoom()
    const { data } = await (await operatorOf(plane)).post(`/rooms/${roomId}/pass`)
    await plane.tenant.post(`/rooms/${roomId}/close`)
    expect(await enterBy(data.connect_url, roomId)).toMatchObject({
      status: 409,
      code: 'SESSION_RELEASED',
    })
  })

  // contract: issueBoardEntryToken › For this room alone, and only while the link lives
  test('lets into no other room, and nowhere when the link was ended', async () => {
    const [roomId, elsewhere] = [await bookRoom(), await bookRoom()]
    const operator = await operatorOf(plane, { operator: 'op-pass' })
    const { data } = await operator.post(`/rooms/${roomId}/pass`)
    expect(await enterBy(data.connect_url, elsewhere)).toMatchObject({
      status: 401,
      code: 'UNAUTHORIZED',
    })
    await revokeBoardTokens(plane.deps, { tenantId: plane.tenant.tenantId, operator: 'op-pass' })
    expect(await enterBy(data.connect_url, roomId)).toMatchObject({
      status: 401,
      code: 'UNAUTHORIZED',
    })
  })
})

describe('the plane of the board refuses', () => {
  const PATHS = [
    ['GET', '/rooms'],
    ['GET', '/stream'],
    ['POST', `/rooms/${NOWHERE}/pass`],
    ['POST', `/rooms/${NOWHERE}/help/answer`],
  ] as const

  // contract: listBoardRooms, streamBoard, issueBoardEntryToken, answerHelp › 401 UNAUTHORIZED whatever is no
  //   living link: none, an API key, a room ticket, a pass, a participant token, one that is over
  //   or was ended
  test.each(PATHS)(
    '%s %s whatever is no living link, always with the same 401',
    async (method, path) => {
      const roomId = await bookRoom()
      const guest = await live.enter(roomId, 'platform_observer')
      const { data } = await (await operatorOf(plane)).post(`/rooms/${roomId}/pass`)
      const ended = await operatorOf(plane, { operator: 'op-ended' })
      await revokeBoardTokens(plane.deps, { tenantId: plane.tenant.tenantId, operator: 'op-ended' })
      const over = await operatorOf(plane, { lifeSec: 1 })
      const before = plane.now
      plane.now = new Date(before.getTime() + 2_000)
      const bearers = [
        guest.ticket,
        data.connect_url.split('#token=')[1],
        ended.token,
        over.token,
        'a.b.c',
        `${ended.token.slice(0, -4)}AAAA`,
        await live.acting.signToken({ roomId, role: 'platform_observer' }),
      ].map((token) => `Bearer ${token}`)
      const answers = await Promise.all(
        [undefined, plane.tenant.authorization, ...bearers].map((each) => call(method, path, each)),
      )
      plane.now = before
      for (const { status, text, headers } of answers) {
        expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
        expect(text).toBe(answers[0]?.text)
      }
      expect(answers[0]?.code).toBe('UNAUTHORIZED')
    },
  )

  // contract: Board link › A link of the board is neither a room ticket nor a participant token
  test('a link of the board as a room ticket, and as a participant token', async () => {
    const roomId = await bookRoom()
    const { token } = await operatorOf(plane)
    const tickets = createTickets(plane.deps)
    await expect(tickets.verify(`Bearer ${token}`, roomId)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
    const entry = await plane.app.inject({
      method: 'POST',
      url: `/api/v1/rooms/${roomId}/live/entry`,
      headers: { authorization: `Bearer ${token}` },
    })
    expect(entry.statusCode).toBe(401)
  })

  // contract: issueBoardEntryToken, answerHelp › 404 NOT_FOUND for a foreign, unknown or malformed id
  test('a room of another tenant with 404, byte for byte like an unknown or malformed id', async () => {
    const roomId = await bookRoom()
    const stranger = await operatorOf(plane, { tenantId: plane.other.tenantId })
    expect((await stranger.get('/rooms')).data.rooms).toEqual([])
    for (const path of ['pass', 'help/answer']) {
      const foreign = await stranger.post(`/rooms/${roomId}/${path}`)
      expect(foreign).toMatchObject({ status: 404, code: 'NOT_FOUND' })
      for (const id of [randomUUID(), 'abc']) {
        expect((await stranger.post(`/rooms/${id}/${path}`)).text).toBe(foreign.text)
      }
    }
  })
})

describe('GET /board/stream', () => {
  // contract: streamBoard › 200, first the whole board, then what changed and what is gone
  test('begins with the board, then publishes changed and removed rooms', async () => {
    const roomId = await bookRoom(20)
    const reader = await (await operatorOf(plane)).listen(live)
    const { rooms } = await reader.wait('board')
    expect(rooms.map(({ id }) => id)).toContain(roomId)
    await askForHelp(await live.enter(roomId, 'panelist', { name: 'Hanako' }))
    const { changed } = await reader.wait('rooms', (published) => published.changed.length > 0)
    expect(changed.map(({ id, alarms }) => [id, alarms[0]?.code])).toEqual([
      [roomId, 'HELP_REQUESTED'],
    ])
    await plane.tenant.post(`/rooms/${roomId}/close`)
    expect((await reader.wait('rooms', ({ gone }) => gone.length > 0)).gone).toEqual([roomId])
    reader.close()
  })

  // contract: streamBoard › An alarm comes when its time has come, though nothing happened
  test('gives an alarm when its time has come, though nothing happened', async () => {
    const roomId = await bookRoom(-4)
    await come(roomId, 'moderator', 'Mori')
    await addRecording(plane, roomId, { status: 'started' })
    const reader = await (await operatorOf(plane)).listen(live)
    await reader.wait('board')
    const before = plane.now
    plane.now = new Date(before.getTime() + 2 * MINUTE_MS)
    const isMissing = ({ changed }: { changed: BoardRoom[] }) =>
      changed.some(({ id, alarms }) => id === roomId && alarms[0]?.code === 'RESPONDENT_MISSING')
    const { changed } = await reader.wait('rooms', isMissing)
    expect(changed.map(({ id }) => id)).toContain(roomId)
    plane.now = before
    reader.close()
  })

  // contract: streamBoard › One statement a second for each tenant, however many look
  test('reads the rooms once a second, however many look', async () => {
    const { db } = plane.database
    let reads = 0
    const counting = new Proxy(db, {
      apply(target, self, args: [TemplateStringsArray, ...unknown[]]) {
        if (String(args[0]).includes('with b as')) reads += 1
        return Reflect.apply(target as never, self, args)
      },
    })
    const config = { ...plane.deps.config, waits: WAITS }
    const boards = watchBoards({ ...plane.deps, db: counting, config })
    const { tenantId } = plane.tenant
    const holder = { boardTokenId: await linkOf('op-many'), tenantId, operator: 'op-many' }
    const published: string[][] = Array.from({ length: 20 }, () => [])
    for (const frames of published) {
      boards.join({
        holder: { ...holder, displayName: 'Operator', expiresAt: plane.now },
        write: (frame) => frames.push(frame),
        end: () => {},
      })
    }
    const hasAll = (name: string) =>
      published.every((frames) => frames.some((f) => f.includes(name)))
    await waitFor(() => hasAll('event: board'))
    const [readsBefore, fromMs] = [reads, performance.now()]
    await bookRoom()
    await waitFor(() => hasAll('event: rooms'))
    expect(reads - readsBefore).toBeGreaterThan(0)
    expect(reads - readsBefore).toBeLessThanOrEqual((performance.now() - fromMs) / 1000 + 1)
    expect(WAITS.boardTickMs).toBe(1_000)
    boards.stop()
  })

  // contract: streamBoard › Nothing of another tenant
  test('publishes nothing to another tenant', async () => {
    const stranger = await operatorOf(plane, { tenantId: plane.other.tenantId })
    const reader = await stranger.listen(live)
    expect((await reader.wait('board')).rooms).toEqual([])
    reader.close()
  })

  // contract: streamBoard › Ends with the link
  test('ends when the links of the operator are ended', async () => {
    const whose = { tenantId: plane.tenant.tenantId, operator: 'op-leaves' }
    const [one, other] = [
      await (await operatorOf(plane, whose)).listen(live),
      await (await operatorOf(plane)).listen(live),
    ]
    await Promise.all([one.wait('board'), other.wait('board')])
    expect(await revokeBoardTokens(plane.deps, whose)).toBe(1)
    await waitFor(() => one.hasEnded())
    expect(other.hasEnded()).toBe(false)
    other.close()
  })
})
