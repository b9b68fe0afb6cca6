import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/db.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addHandout } from '../../testing/handouts.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { hasLockWait } from '../../testing/lock-waits.ts'
import { sendForm, type TestParts } from '../../testing/multipart.ts'
import { waitFor } from '../../testing/wait-for.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const OTHERS = ['panelist', 'observer', 'platform_observer'] as const

async function newRoom() {
  const { id: roomId, session } = await plane.book({ startsInMin: 1 })
  const add = (options?: Parameters<typeof addHandout>[2]) => addHandout(plane, session.id, options)
  return { roomId, sessionId: session.id, add }
}

/** A room with a moderator in it, and two handouts. */
async function moderated() {
  const room = await newRoom()
  const moderator = await live.enter(room.roomId, 'moderator')
  return { ...room, moderator, first: await room.add(), second: await room.add({ sort: 1 }) }
}

const show = (guest: Guest, { id }: { id: string }) => guest.post(`/handouts/${id}/show`)
const hide = (guest: Guest, { id }: { id: string }) => guest.post(`/handouts/${id}/hide`)

async function eventsOf(roomId: string): Promise<[string, string | undefined][]> {
  const rows = await plane.database.db<{ type: string; id: string }[]>`
    select event_type as type, payload ->> 'handout_id' as id
      from room_events where room_id = ${roomId} order by seq
  `
  return rows.map(({ type, id }) => [type, id])
}

describe('GET /rooms/{room_id}/live/handouts', () => {
  // contract: listHandoutsInRoom › 200, list of Handout by `sort`, to moderators and operators:
  //   `id`, `session_id`, `external_type`, `external_id`, `file_name`, `file_url`, `content_type`,
  //   `created_at`
  test.each(['moderator', 'platform_observer'] as const)(
    'lists to a %s the handouts of the session by sort',
    async (role) => {
      const { roomId, add, sessionId } = await newRoom()
      const [last, first] = [await add({ sort: 2, kind: 'video' }), await add({ sort: 1 })]
      const guest = await live.enter(roomId, role)
      const { status, data } = await guest.get('/handouts')
      expect(status).toBe(200)
      expect(data.items.map(({ id }: { id: string }) => id)).toEqual([first.id, last.id])
      const { data: forTenant } = await plane.tenant.get(`/sessions/${sessionId}/handouts`)
      expect(data).toEqual(forTenant)
    },
  )

  // contract: listHandoutsInRoom › `cursor`, `limit`
  test('continues after the cursor', async () => {
    const { moderator, first, second } = await moderated()
    const one = await moderator.get('/handouts?limit=1')
    expect(one.data).toMatchObject({ items: [{ id: first.id }], has_more: true })
    const two = await moderator.get(`/handouts?limit=1&cursor=${one.data.next_cursor}`)
    expect(two.data).toMatchObject({ items: [{ id: second.id }], has_more: false })
  })

  // contract: listHandoutsInRoom › 422 VALIDATION_ERROR for other roles
  test.each(['panelist', 'observer'] as const)('is not for a %s: 422', async (role) => {
    const { roomId } = await moderated()
    const { status, code, details } = await (await live.enter(roomId, role)).get('/handouts')
    expect({ status, code, details }).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      details: [['role', 'NOT_ALLOWED']],
    })
  })
})

describe('POST /rooms/{room_id}/live/handouts/{handout_id}/show', () => {
  // contract: showHandout › 200, what is shown now: `handout_id`, `title`, `file_name`, `file_url`,
  //   `content_type`, `playback`; published to everybody
  test('shows it to everybody on the live stream, hidden roles included', async () => {
    const { roomId, moderator, first } = await moderated()
    const readers = await Promise.all(
      OTHERS.map(async (role) => (await live.enter(roomId, role)).listen()),
    )
    await Promise.all(readers.map((reader) => reader.wait('snapshot')))
    const { status, data } = await show(moderator, first)
    expect(status).toBe(200)
    expect(data).toEqual({
      handout_id: first.id,
      title: null,
      file_name: 'plan.png',
      file_url: expect.stringContaining('http'),
      content_type: 'image',
      playback: null,
    })
    for (const reader of readers) {
      const { presentation } = await reader.wait('presentation')
      expect(presentation).toMatchObject({ handout_id: first.id, content_type: 'image' })
    }
    expect(await eventsOf(roomId)).toEqual([['handout.show', first.id]])
  })

  // contract: showHandout › Its `title` is for everybody, the name of its file for moderators and operators
  test.each([
    ['panelist', false],
    ['observer', false],
    ['platform_observer', true],
    ['moderator', true],
  ] as const)('a %s reads its title, and the name of its file: %s', async (role, isNamed) => {
    const { roomId, moderator, add } = await moderated()
    const handout = await add({ title: 'Package, front' })
    const reader = await (await live.enter(roomId, role)).listen()
    await reader.wait('snapshot')
    await show(moderator, handout)
    const shown = await reader.wait('presentation')
    const later = await (await live.enter(roomId, role)).listen()
    for (const { presentation } of [shown, await later.wait('snapshot')]) {
      expect(presentation).toMatchObject({
        title: 'Package, front',
        file_name: isNamed ? 'plan.png' : 'image.png',
      })
      expect(JSON.stringify(presentation).includes('plan')).toBe(isNamed)
    }
  })

  // contract: showHandout › A late joiner gets the current one
  test('is in the snapshot of participants who join later', async () => {
    const { roomId, moderator, first } = await moderated()
    await show(moderator, first)
    const late = await (await live.enter(roomId, 'panelist')).listen()
    const { presentation } = await late.wait('snapshot')
    expect(presentation).toMatchObject({ handout_id: first.id, content_type: 'image' })
  })

  // contract: showHandout › One at a time
  test('hides the handout that was shown before: one at a time', async () => {
    const { roomId, moderator, first, second } = await moderated()
    await show(moderator, first)
    expect((await show(moderator, second)).data).toMatchObject({ handout_id: second.id })
    expect(await eventsOf(roomId)).toEqual([
      ['handout.show', first.id],
      ['handout.hide', first.id],
      ['handout.show', second.id],
    ])
    expect((await plane.tenant.delete(`/handouts/${first.id}`)).status).toBe(204)
    expect(await plane.tenant.delete(`/handouts/${second.id}`)).toMatchObject({
      status: 409,
      code: 'HANDOUT_IN_USE',
    })
  })

  test('is in the log with its title of that moment, after it was renamed, too', async () => {
    const { roomId, moderator, add } = await moderated()
    const handout = await add({ title: 'Package, front' })
    await show(moderator, handout)
    const parts: TestParts = [['title', 'Package, back']]
    await sendForm(plane.tenant, `PATCH /handouts/${handout.id}`, { parts })
    const { data } = await plane.tenant.get(`/rooms/${roomId}/room-events?event_type=handout.show`)
    expect(data.items.at(-1).payload).toEqual({
      handout_id: handout.id,
      title: 'Package, front',
      file_name: 'plan.png',
    })
  })

  // contract: showHandout › A repeat changes nothing
  test('of the shown handout changes nothing and answers the same', async () => {
    const { roomId, moderator, first } = await moderated()
    const answers = [await show(moderator, first), await show(moderator, first)]
    expect(answers.map(({ status, data }) => [status, data.handout_id])).toEqual([
      [200, first.id],
      [200, first.id],
    ])
    expect(await eventsOf(roomId)).toEqual([['handout.show', first.id]])
  })

  // contract: showHandout › Many concurrent requests: one is presented
  test('presents exactly one handout after ten concurrent requests, and hides each one before it', async () => {
    const { roomId, moderator, first, second, add } = await moderated()
    const all = [first, second, await add(), await add(), await add()]
    const answers = await Promise.all([...all, ...all].map((each) => show(moderator, each)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const open: (string | undefined)[] = []
    for (const [type, id] of await eventsOf(roomId)) {
      if (type === 'handout.show') open.push(id)
      else open.splice(open.indexOf(id), 1)
      expect(open.length).toBeLessThanOrEqual(1)
    }
    expect(open).toHaveLength(1)
    const deletions = await Promise.all(
      all.map(async ({ id }) => (await plane.tenant.delete(`/handouts/${id}`)).status),
    )
    expect(deletions.toSorted((a, b) => a - b)).toEqual([204, 204, 204, 204, 409])
  })

  // contract: showHandout › Beside a delete
  test('concurrent with a delete: it is either shown and stays, or is gone', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { roomId, moderator, first } = await moderated()
      const [shown, deleted] = await Promise.all([
        show(moderator, first),
        plane.tenant.delete(`/handouts/${first.id}`),
      ])
      expect([
        [200, 409],
        [404, 204],
      ]).toContainEqual([shown.status, deleted.status])
      expect(await eventsOf(roomId)).toHaveLength(shown.status === 200 ? 1 : 0)
    }
  })

  // contract: showHandout › Beside a close
  test('that waits for a close is refused, and nothing is shown in the closed room', async () => {
    const { roomId, moderator, first } = await moderated()
    let shown: ReturnType<typeof show> | undefined
    await inTransaction(plane.database.db, async (tx) => {
      await tx`select 1 from rooms where id = ${roomId} for update`
      shown = show(moderator, first)
      await waitFor(() => hasLockWait(plane.database.db))
      await tx`update rooms set closed_at = ${plane.now} where id = ${roomId}`
    })
    expect(await shown).toMatchObject({ status: 409, code: 'SESSION_RELEASED' })
    expect(await eventsOf(roomId)).toEqual([])
  })

  // contract: showHandout › A closed room holds no handout in use
  test('beside a close never leaves a handout in use', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { roomId, moderator, first } = await moderated()
      const [shown] = await Promise.all([
        show(moderator, first),
        plane.tenant.post(`/rooms/${roomId}/close`),
      ])
      expect([200, 409]).toContain(shown.status)
      expect((await plane.tenant.delete(`/handouts/${first.id}`)).status).toBe(204)
    }
  })

  // contract: showHandout › The close writes handout.hide
  test('ends with the room: the close hides the handout', async () => {
    const { roomId, moderator, first } = await moderated()
    await show(moderator, first)
    await plane.tenant.post(`/rooms/${roomId}/close`, { reason: 'over' })
    expect(await eventsOf(roomId)).toEqual([
      ['handout.show', first.id],
      ['handout.hide', first.id],
      ['room.closed', null],
    ])
    expect((await plane.tenant.delete(`/handouts/${first.id}`)).status).toBe(204)
  })
})

describe('POST /rooms/{room_id}/live/handouts/{handout_id}/hide', () => {
  // contract: hideHandout › 200, nothing is shown; a repeat changes nothing
  test('hides the shown handout; a repeat changes nothing', async () => {
    const { roomId, moderator, first } = await moderated()
    const panelist = await (await live.enter(roomId, 'panelist')).listen()
    await panelist.wait('snapshot')
    await show(moderator, first)
    await panelist.wait('presentation')
    for (const answer of [await hide(moderator, first), await hide(moderator, first)]) {
      expect(answer).toMatchObject({ status: 200, data: null })
    }
    await panelist.wait('presentation', ({ presentation }) => presentation === null)
    expect(await eventsOf(roomId)).toEqual([
      ['handout.show', first.id],
      ['handout.hide', first.id],
    ])
  })

  // contract: hideHandout › Of another one: what is shown stays
  test('of a handout that is not shown answers the shown one', async () => {
    const { moderator, first, second } = await moderated()
    await show(moderator, first)
    expect((await hide(moderator, second)).data).toMatchObject({ handout_id: first.id })
  })
})

describe('POST /rooms/{room_id}/live/handouts/{handout_id}/playback', () => {
  const play = { position_sec: 12.5, is_playing: true }
  const move = (guest: Guest, { id }: { id: string }, body: object = play) =>
    guest.post(`/handouts/${id}/playback`, body)

  // contract: movePlayback › 200, `position_sec` and `is_playing` of the shown video `at` that
  //   time, for all and for late joiners
  test('moves the shown video for everybody, also for participants who join later', async () => {
    const { roomId, moderator, add } = await moderated()
    const video = await add({ kind: 'video' })
    const panelist = await live.enter(roomId, 'panelist')
    const reader = await panelist.listen()
    const { data } = await show(moderator, video)
    expect(data.playback).toMatchObject({ position_sec: 0, is_playing: false })
    expect(await move(moderator, video)).toMatchObject({ status: 200, data: { playback: play } })
    await reader.wait(
      'presentation',
      (published) => published.presentation?.playback?.position_sec === 12.5,
    )
    const { presentation } = await (await panelist.listen()).wait('snapshot')
    expect(presentation?.playback).toEqual({ ...play, at: expect.any(String) })
  })

  // contract: movePlayback › Shown again it begins at the start
  test('begins at the start when the video is shown again', async () => {
    const { moderator, add } = await moderated()
    const video = await add({ kind: 'video' })
    await show(moderator, video)
    await move(moderator, video)
    await hide(moderator, video)
    const { data } = await show(moderator, video)
    expect(data.playback).toMatchObject({ position_sec: 0, is_playing: false })
  })

  // contract: movePlayback › 422 VALIDATION_ERROR unless it is a video that is being shown
  test('is 422 VALIDATION_ERROR for a picture, and for a video that is not shown', async () => {
    const { roomId, moderator, first, add } = await moderated()
    const video = await add({ kind: 'video' })
    await show(moderator, first)
    for (const each of [first, video]) {
      const { status, code, details } = await move(moderator, each)
      expect({ status, code, details }).toEqual({
        status: 422,
        code: 'VALIDATION_ERROR',
        details: [['handout_id', 'NOT_ALLOWED']],
      })
    }
    expect(await eventsOf(roomId)).toHaveLength(1)
  })

  // contract: movePlayback › 400 INVALID_REQUEST, also over 1,000,000 s (`RECORDING_LENGTH_MAX_SEC`)
  test.each([
    [{ position_sec: -1, is_playing: true }, 'position_sec', 'OUT_OF_RANGE'],
    [{ position_sec: 1_000_001, is_playing: true }, 'position_sec', 'OUT_OF_RANGE'],
    [{ position_sec: 1 }, 'is_playing', 'REQUIRED'],
    [{ ...play, speed: 2 }, 'speed', 'UNKNOWN_FIELD'],
  ])('with %j is 400 INVALID_REQUEST', async (body, field, code) => {
    const { moderator, first } = await moderated()
    const refused = await move(moderator, first, body)
    expect(refused).toMatchObject({ status: 400, details: [[field, code]] })
  })
})

const bodyOf = (call: string) =>
  call === 'playback' ? { position_sec: 0, is_playing: false } : undefined

describe('showing, hiding and moving', () => {
  const CALLS = [['show'], ['hide'], ['playback']] as const
  // contract: showHandout, hideHandout, movePlayback › 422 VALIDATION_ERROR for other roles
  test.each(CALLS)('by another than a moderator is 422 NOT_ALLOWED (%s)', async (call) => {
    const { roomId, first } = await moderated()
    for (const role of OTHERS) {
      const guest = await live.enter(roomId, role)
      const refused = await guest.post(`/handouts/${first.id}/${call}`, bodyOf(call))
      expect(refused).toMatchObject({
        status: 422,
        code: 'VALIDATION_ERROR',
        details: [['role', 'NOT_ALLOWED']],
      })
    }
    expect(await eventsOf(roomId)).toEqual([])
  })

  // contract: showHandout, hideHandout, movePlayback › Other tenant or room: 404 NOT_FOUND
  test.each(CALLS)(
    'of a handout of another room or tenant is 404, like an unknown one (%s)',
    async (call) => {
      const { moderator, roomId } = await moderated()
      const elsewhere = await moderated()
      const ids = [elsewhere.first.id, randomUUID(), 'no-id']
      const answers = await Promise.all(
        ids.map((id) => moderator.post(`/handouts/${id}/${call}`, bodyOf(call))),
      )
      for (const { status, code, text } of answers) {
        expect({ status, code, text }).toEqual({
          status: 404,
          code: 'NOT_FOUND',
          text: answers[0]?.text,
        })
      }
      expect(await eventsOf(roomId)).toEqual([])
    },
  )
})
