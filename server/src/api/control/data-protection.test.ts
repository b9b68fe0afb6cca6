import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  eraseDataSubjectJob,
  type EraseDeps,
} from '../../domain/data-protection/erase-data-subject.job.ts'
import { expireRecordingsJob } from '../../domain/recording/expire-recordings.job.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { say, upload } from '../../testing/live-chat.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { addRecording, deleteObjects, jobRun } from '../../testing/recordings.ts'
import { forgetAnswers } from '../idempotency/forget-answers.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const MINUTE_MS = 60_000
const later = (ms: number) => {
  plane.now = new Date(plane.now.getTime() + ms)
}

// Tokens are signed at the real time.
beforeEach(() => {
  plane.now = new Date()
})

interface Visit {
  roomId: string
  guest: Guest
  person: { external_type: string; external_id: string }
}

/** A person in an open room. */
async function visit(externalId: string = randomUUID()): Promise<Visit> {
  const person = { external_type: 'User', external_id: externalId }
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  const guest = await live.enter(roomId, 'moderator', { participant: person })
  await say(guest)
  return { roomId, guest, person }
}

/** The same in a room that is over. */
async function pastVisit(externalId?: string): Promise<Visit> {
  const visited = await visit(externalId)
  await plane.tenant.post(`/rooms/${visited.roomId}/close`, {})
  later(6 * MINUTE_MS)
  return visited
}

async function erase(person: object, more: object = {}) {
  const { status, data } = await plane.tenant.post('/data-subjects/erasures', {
    ...person,
    ...more,
  })
  expect(status).toBe(202)
  return data.id as string
}
const run = (id: string, overrides: Partial<EraseDeps> = {}) =>
  eraseDataSubjectJob({ ...plane.deps, forgetAnswers, ...overrides }).run({
    ...jobRun(plane),
    key: id,
  })
const read = async (id: string) => (await plane.tenant.get(`/data-subjects/erasures/${id}`)).data
const claimsOf = (receipt: string) =>
  JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString())
const participantsOf = async (roomId: string) =>
  (await plane.tenant.get(`/rooms/${roomId}/participants`)).data.items.length

async function hold(body: object) {
  const { status, data } = await plane.tenant.post('/legal-holds', { reason: 'Case 1', ...body })
  expect(status).toBe(201)
  return data.id as string
}

describe('an erasure', () => {
  // contract: requestErasure › While a room of the person is not over, it is `waiting` with
  //   `waits_until`, and continues automatically
  test('waits until the room is over in which the person is', async () => {
    const { roomId, guest, person } = await visit()
    const id = await erase(person)
    const ended = await run(id)
    const waiting = await read(id)
    expect(waiting).toMatchObject({ state: 'waiting', receipt: null })
    // It looks again meanwhile, because the room may be closed before its window ends.
    expect(ended).toEqual({ outcome: 'again', at: new Date(plane.now.getTime() + MINUTE_MS) })
    expect((await say(guest)).status).toBe(201)

    await plane.tenant.post(`/rooms/${roomId}/close`, {})
    later(MINUTE_MS)
    await run(id)
    const { waits_until: earlier } = await read(id)
    expect(Date.parse(earlier)).toBeLessThan(Date.parse(waiting.waits_until))
    later(5 * MINUTE_MS)
    await run(id)
    expect(await read(id)).toMatchObject({ state: 'done', removed: { chat_messages: 2 } })
    expect(await participantsOf(roomId)).toBe(0)
  })

  test('revokes every right to write', async () => {
    const { guest, person } = await pastVisit()
    await run(await erase(person))
    expect((await say(guest)).status).toBeGreaterThanOrEqual(400)
    // Accepted for a while after the close, and of the person all the same.
    expect((await guest.post('/rating', { score: 1 })).status).toBeGreaterThanOrEqual(400)
  })

  // contract: requestErasure › `recordings: keep` leaves recordings whole: `remains` names their
  //   rooms as `kept_on_request`
  test('keeps recordings on request, and names them', async () => {
    const { roomId, person } = await pastVisit()
    const recordingId = await addRecording(plane, roomId)
    const preview = await plane.tenant.post('/data-subjects/erasure-previews', {
      ...person,
      recordings: 'keep',
    })
    const id = await erase(person, { recordings: 'keep' })
    await run(id)
    const kept = [
      { room_id: roomId, what: 'recordings', reason: 'kept_on_request', legal_hold_id: null },
    ]
    expect(await read(id)).toMatchObject({
      state: 'done',
      recordings: 'keep',
      remains: kept,
      removed: { recordings: 0, participants: 1 },
    })
    expect(preview.data.remains).toEqual(kept)
    expect((await plane.tenant.get(`/recordings/${recordingId}`)).status).toBe(200)
  })

  // contract: requestErasure › It also waits until a recording is made that is kept, which makes it whole
  test('waits until a recording is made that is kept, and for none that goes', async () => {
    const kept = await pastVisit()
    const recordingId = await addRecording(plane, kept.roomId, { status: 'stopped' })
    const id = await erase(kept.person, { recordings: 'keep' })
    await run(id)
    expect((await read(id)).state).toBe('waiting')
    await plane.database.db`update recordings set status = 'failed' where id = ${recordingId}`
    later(MINUTE_MS)
    await run(id)
    expect((await read(id)).state).toBe('done')

    const deleted = await pastVisit()
    await addRecording(plane, deleted.roomId, { status: 'stopped' })
    const other = await erase(deleted.person)
    await run(other)
    expect(await read(other)).toMatchObject({ state: 'done', removed: { recordings: 1 } })
  })

  test('that is killed between two rooms continues, and counts everything once', async () => {
    const externalId = randomUUID()
    const first = await pastVisit(externalId)
    const second = await pastVisit(externalId)
    const id = await erase(first.person)
    let rooms = 0
    const killed = run(id, {
      forgetAnswers: async (tx, about) => {
        rooms += 1
        if (rooms === 2) throw new Error('killed')
        await forgetAnswers(tx, about)
      },
    })
    await expect(killed).rejects.toThrow('killed')
    const left = await Promise.all([first, second].map(({ roomId }) => participantsOf(roomId)))
    expect(left.toSorted((a, b) => a - b)).toEqual([0, 1])
    expect(await read(id)).toMatchObject({ state: 'pending', removed: { participants: 1 } })
    await run(id)
    expect(await read(id)).toMatchObject({ state: 'done', removed: { participants: 2 } })
    // Runs again, as by a worker that does not know that it is done.
    await run(id)
    expect(await read(id)).toMatchObject({ removed: { participants: 2 } })
  })

  test('is not done before the objects are gone', async () => {
    const { guest, roomId, person } = await visit()
    await upload(guest, plane.storage)
    await plane.tenant.post(`/rooms/${roomId}/close`, {})
    later(6 * MINUTE_MS)
    const id = await erase(person)
    plane.storage.isDown = true
    await expect(run(id)).rejects.toThrow('the storage is down')
    expect(await read(id)).toMatchObject({ state: 'pending', receipt: null })
    plane.storage.isDown = false
    await run(id)
    expect(await read(id)).toMatchObject({ state: 'done' })
    await deleteObjects(plane)
  })

  // contract: requestErasure › A repeat with the same Idempotency-Key is the same erasure
  test('is requested once for one Idempotency-Key', async () => {
    const { person } = await pastVisit()
    const headers = { 'idempotency-key': randomUUID() }
    const [first, second] = [
      await plane.tenant.post('/data-subjects/erasures', person, headers),
      await plane.tenant.post('/data-subjects/erasures', person, headers),
    ]
    expect([first.status, second.status, second.text]).toEqual([202, 202, first.text])
  })

  // contract: requestErasure › While one of the same person is not done, the answer is that erasure, also
  //   without an Idempotency-Key and for requests at the same time
  // contract: requestErasure, listErasures, getErasure › `previous_erasure_id`: the erasure of the same
  //   person that was done before; the receipt has it, too
  test('is the same one for every request until it is done, and then a new one that names it', async () => {
    const { roomId, person } = await visit()
    const ids = await Promise.all(Array.from({ length: 5 }, () => erase(person)))
    const [id] = ids
    expect(new Set(ids)).toEqual(new Set([id]))
    await run(id!)
    const again = await plane.tenant.post('/data-subjects/erasures', person)
    expect([again.status, again.headers['location']]).toEqual([
      202,
      `/api/v1/data-subjects/erasures/${id}`,
    ])
    expect(again.data).toEqual(await read(id!))
    expect(again.data).toMatchObject({ state: 'waiting', previous_erasure_id: null })
    await plane.tenant.post(`/rooms/${roomId}/close`, {})
    later(6 * MINUTE_MS)
    await run(id!)

    const second = await erase(person)
    await run(second)
    const done = await read(second)
    expect(second).not.toBe(id)
    expect(done).toMatchObject({ state: 'done', previous_erasure_id: id })
    expect(claimsOf(done.receipt)).toMatchObject({ previous_erasure_id: id })
    const { data } = await plane.tenant.get(`/data-subjects/erasures?subject=${done.subject}`)
    expect(data.items.map((item: { id: string }) => item.id)).toEqual([second, id])
  })

  // contract: requestErasure › 422 VALIDATION_ERROR for other `recordings` than those of the erasure of the
  //   same person that is not done
  test('does not affect recordings while it is carried out', async () => {
    const { person } = await pastVisit()
    const id = await erase(person, { recordings: 'keep' })
    const refused = await plane.tenant.post('/data-subjects/erasures', person)
    expect([refused.status, refused.code, refused.details]).toEqual([
      422,
      'VALIDATION_ERROR',
      [['recordings', 'NOT_ALLOWED']],
    ])
    expect(refused.text).toContain(id)
    await run(id)
    expect(await erase(person)).not.toBe(id)
  })

  test('that is requested again while it ends leaves no earlier data', async () => {
    const { guest, roomId, person } = await visit()
    await upload(guest, plane.storage)
    await plane.tenant.post(`/rooms/${roomId}/close`, {})
    later(6 * MINUTE_MS)
    const id = await erase(person)
    plane.now = new Date()
    let second: Visit | undefined
    const storage: typeof plane.storage = {
      ...plane.storage,
      async delete(keys) {
        await plane.storage.delete(keys)
        second = await visit(person.external_id)
        expect(await erase(person)).toBe(id)
      },
    }
    later(6 * MINUTE_MS)
    await run(id, { storage })
    expect((await read(id)).state).not.toBe('done')
    await plane.tenant.post(`/rooms/${second?.roomId}/close`, {})
    later(12 * MINUTE_MS)
    await run(id)
    expect(await read(id)).toMatchObject({ state: 'done', removed: { participants: 2 } })
  })

  // contract: requestErasure, previewErasure › 400 INVALID_REQUEST without both halves of the
  //   reference, and for another word in `recordings`
  test.each([
    [{ external_type: 'User' }, ['external_id', 'REQUIRED']],
    [{ external_id: '1' }, ['external_type', 'REQUIRED']],
    [{ external_type: 'User', external_id: '' }, ['external_id', 'TOO_SHORT']],
    [{ external_type: 'User', external_id: 'x'.repeat(65) }, ['external_id', 'TOO_LONG']],
    [{ external_type: 'User', external_id: 1, recordings: 'cut' }, ['recordings', 'INVALID_ENUM']],
  ])('refuses %j', async (body, detail) => {
    for (const path of ['erasures', 'erasure-previews']) {
      const refused = await plane.tenant.post(`/data-subjects/${path}`, body)
      expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
      expect(refused.details).toContainEqual(detail)
    }
  })

  // contract: requestErasure, listErasures, getErasure › `requested_at`, and `removed` with
  //   `participants`, `entries`, `admissions`, `room_events`, `chat_messages`, `recordings`,
  //   `processed_recordings`, `clips`, `transcriptions`, `connection_tests` and `events`; each of `remains` has
  //   `room_id`, `what`, `reason` and `legal_hold_id`
  // contract: previewErasure › `removed` has `participants`, `entries`, `admissions`, `room_events`,
  //   `chat_messages`, `recordings`, `processed_recordings`, `clips`, `transcriptions`, `connection_tests` and
  //   `events`; each of `remains` has `room_id`, `what`, `reason` and `legal_hold_id`
  // contract: requestErasure › An integer in `external_id` is its decimal digits
  // contract: listErasures › 200, list envelope, newest first; `subject` filters by person, and
  //   another tenant sees none of them
  // contract: getErasure › 404 NOT_FOUND for an erasure of another tenant
  test('is listed by person, only for its tenant', async () => {
    const person = { external_type: 'User', external_id: 990_017 }
    const first = await erase(person)
    await run(first)
    const ids = [first, await erase({ ...person, external_id: '990017' })]
    const { subject } = await read(ids[0]!)
    const { data } = await plane.tenant.get(`/data-subjects/erasures?subject=${subject}&limit=1`)
    expect(data).toMatchObject({ items: [{ id: ids[1] }], has_more: true })
    const next = `/data-subjects/erasures?subject=${subject}&limit=1&cursor=${data.next_cursor}`
    expect((await plane.tenant.get(next)).data.items).toMatchObject([{ id: ids[0] }])
    expect((await plane.other.get('/data-subjects/erasures')).data.items).toEqual([])
    expect((await plane.other.get(`/data-subjects/erasures/${ids[0]}`)).code).toBe('NOT_FOUND')
    const theirs = await plane.other.post('/data-subjects/erasure-previews', person)
    expect(theirs.data.subject).not.toBe(subject)
  })

  test('erases only the person of its tenant', async () => {
    const { roomId, person } = await pastVisit()
    const { data } = await plane.other.post('/data-subjects/erasures', person)
    await run(data.id)
    expect((await plane.other.get(`/data-subjects/erasures/${data.id}`)).data).toMatchObject({
      state: 'done',
      removed: { participants: 0 },
    })
    expect(await participantsOf(roomId)).toBe(1)
  })
})

describe('a legal hold', () => {
  // contract: placeLegalHold › 201 with `id`, `room_id`, `external_type`, `external_id`, `reason` and
  //   `created_at`
  // contract: getLegalHold › 200
  // contract: listLegalHolds › 200, list envelope, oldest first; another tenant sees none of them
  // contract: getLegalHold, releaseLegalHold › 404 NOT_FOUND for a hold of another tenant
  // contract: releaseLegalHold › 204, and 404 NOT_FOUND from then on
  test('is placed, read and released', async () => {
    const { roomId } = await pastVisit()
    const placed = await plane.tenant.post('/legal-holds', { room_id: roomId, reason: 'Case 9' })
    const { id } = placed.data
    expect([placed.status, placed.headers['location']]).toEqual([201, `/api/v1/legal-holds/${id}`])
    expect(placed.data).toEqual({
      id,
      room_id: roomId,
      external_type: null,
      external_id: null,
      reason: 'Case 9',
      created_at: plane.now.toISOString(),
    })
    const path = `/legal-holds/${id}`
    expect((await plane.tenant.get(path)).data).toEqual(placed.data)
    expect((await plane.tenant.get('/legal-holds')).data.items).toContainEqual(placed.data)
    expect((await plane.other.get('/legal-holds')).data.items).toEqual([])
    expect((await plane.other.get(path)).code).toBe('NOT_FOUND')
    expect((await plane.other.delete(path)).code).toBe('NOT_FOUND')
    expect((await plane.tenant.delete(path)).status).toBe(204)
    expect((await plane.tenant.delete(path)).code).toBe('NOT_FOUND')
    expect((await plane.tenant.get(path)).code).toBe('NOT_FOUND')
  })

  // contract: requestErasure › What a legal hold covers stays: the erasure is `blocked`, `remains` and
  //   the receipt say what and why
  // contract: releaseLegalHold › Erasures that it blocked continue
  test('of a room keeps it from an erasure until it is released', async () => {
    const externalId = randomUUID()
    const held = await pastVisit(externalId)
    const free = await pastVisit(externalId)
    const holdId = await hold({ room_id: held.roomId })
    const id = await erase(held.person)
    await run(id)
    const blocked = await read(id)
    expect(blocked).toMatchObject({
      state: 'blocked',
      finished_at: null,
      removed: { participants: 1 },
      remains: [
        {
          room_id: held.roomId,
          what: 'everything',
          reason: 'legal_hold',
          legal_hold_id: holdId,
        },
      ],
    })
    expect(claimsOf(blocked.receipt)).toMatchObject({ state: 'blocked', remains: blocked.remains })
    expect([await participantsOf(held.roomId), await participantsOf(free.roomId)]).toEqual([1, 0])

    await plane.tenant.delete(`/legal-holds/${holdId}`)
    const jobs = await plane.database.db`
      delete from jobs where kind = 'erase-data-subject' and key = ${id} returning key
    `
    expect(jobs).toHaveLength(1)
    expect(await read(id)).toMatchObject({ state: 'pending', receipt: null, remains: [] })
    await run(id)
    expect(await read(id)).toMatchObject({
      state: 'done',
      remains: [],
      removed: { participants: 2 },
    })
  })

  // contract: requestErasure › A blocked one begins again and erases what has come since
  test('lets a blocked erasure be requested again, which covers later data', async () => {
    const externalId = randomUUID()
    const held = await pastVisit(externalId)
    await hold({ room_id: held.roomId })
    const id = await erase(held.person)
    await run(id)
    expect(await read(id)).toMatchObject({ state: 'blocked', removed: { participants: 0 } })
    plane.now = new Date()
    const { roomId } = await pastVisit(externalId)
    const again = await plane.tenant.post('/data-subjects/erasures', held.person)
    expect(again.data).toMatchObject({ id, state: 'pending', receipt: null, remains: [] })
    await run(id)
    expect(await read(id)).toMatchObject({
      state: 'blocked',
      removed: { participants: 1 },
      remains: [{ room_id: held.roomId }],
    })
    expect(await participantsOf(roomId)).toBe(0)
  })

  // contract: placeLegalHold › Retention does not delete what it covers
  test('keeps a recording from its retention', async () => {
    const held = await pastVisit()
    const free = await pastVisit()
    const ids = await Promise.all([held, free].map(({ roomId }) => addRecording(plane, roomId)))
    await hold(held.person)
    later(3 * 24 * 60 * MINUTE_MS)
    const config = { ...plane.deps.config, recordingRetentionDays: 2 }
    await expireRecordingsJob({ ...plane.deps, config }).run(jobRun(plane))
    const statuses = await Promise.all(
      ids.map(async (id) => (await plane.tenant.get(`/recordings/${id}`)).data.status),
    )
    expect(statuses).toEqual(['available', 'expired'])
  })

  // contract: placeLegalHold › That of a person covers every room that they entered, for everybody in it
  test('of a person keeps the rooms of the person for everybody', async () => {
    const { roomId, person } = await visit()
    const other = { external_type: 'User', external_id: randomUUID() }
    await live.enter(roomId, 'panelist', { participant: other })
    await plane.tenant.post(`/rooms/${roomId}/close`, {})
    later(6 * MINUTE_MS)
    await hold(person)
    for (const each of [person, other]) {
      const preview = await plane.tenant.post('/data-subjects/erasure-previews', each)
      expect(preview.data).toMatchObject({
        removed: { participants: 0 },
        remains: [{ room_id: roomId, reason: 'legal_hold' }],
      })
      const id = await erase(each)
      await run(id)
      expect(await read(id)).toMatchObject({ state: 'blocked' })
    }
    expect(await participantsOf(roomId)).toBe(2)
  })

  // contract: placeLegalHold › 400 INVALID_REQUEST for neither or both of a room and a person, half a
  //   reference, and a `reason` over `LEGAL_HOLD_REASON_MAX` characters
  // contract: Limits › Reason of a legal hold: 1 to 500 characters
  test.each([
    [{}, ['room_id', 'REQUIRED']],
    [
      { room_id: randomUUID(), external_type: 'User', external_id: '1' },
      ['room_id', 'NOT_ALLOWED'],
    ],
    [{ external_type: 'User' }, ['external_id', 'PAIR_REQUIRED']],
    [{ external_id: '1' }, ['external_type', 'PAIR_REQUIRED']],
    [{ room_id: 'x' }, ['room_id', 'INVALID_FORMAT']],
    [{ room_id: randomUUID(), reason: '' }, ['reason', 'TOO_SHORT']],
    [{ room_id: randomUUID(), reason: 'x'.repeat(501) }, ['reason', 'TOO_LONG']],
  ])('refuses %j', async (body, detail) => {
    const refused = await plane.tenant.post('/legal-holds', { reason: 'x', ...body })
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.details).toContainEqual(detail)
  })

  // contract: placeLegalHold › 422 VALIDATION_ERROR for a room of another tenant
  test('of a foreign room is refused like one of none', async () => {
    const { roomId } = await pastVisit()
    for (const room_id of [roomId, randomUUID()]) {
      const refused = await plane.other.post('/legal-holds', { room_id, reason: 'x' })
      expect([refused.status, refused.code, refused.details]).toEqual([
        422,
        'VALIDATION_ERROR',
        [['room_id', 'NOT_ALLOWED']],
      ])
    }
  })

  // contract: placeLegalHold › A repeat with the same Idempotency-Key is the same hold
  test('is placed once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const body = { external_type: 'User', external_id: 'held', reason: 'Case 2' }
    const first = await plane.tenant.post('/legal-holds', body, headers)
    const second = await plane.tenant.post('/legal-holds', body, headers)
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
  })
})
