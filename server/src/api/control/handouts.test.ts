import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { json } from '../../platform/db/db.ts'
import { deleteObjectsJob } from '../../platform/storage/delete-objects.job.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { file, SAMPLES, sendForm, type TestParts } from '../../testing/multipart.ts'
import { runJobs } from '../../testing/run-jobs.ts'

const plane = useControlPlane()

const PNG = file('plan.png', SAMPLES.png)
const MOV: TestParts = [
  ['file', file('film.mov', SAMPLES.mov)],
  ['content_type', 'video'],
]

const deletions = () => runJobs(plane.database.db, deleteObjectsJob(plane.deps))

async function newSession(): Promise<{ id: string; roomId: string }> {
  const { id: roomId, session } = await plane.book()
  return { id: session.id, roomId }
}

async function registered(sessionId: string, parts: TestParts = []) {
  const form: TestParts = [['file', PNG], ['content_type', 'image'], ...parts]
  const answer = await sendForm(plane.tenant, `POST /sessions/${sessionId}/handouts`, {
    parts: form,
  })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.data
}

const patch = (id: string, parts: TestParts, client = plane.tenant) =>
  sendForm(client, `PATCH /handouts/${id}`, { parts })

async function listed(sessionId: string) {
  const { data } = await plane.tenant.get(`/sessions/${sessionId}/handouts`)
  return data.items
}

const record = (roomId: string, event: string, handoutId: string) => plane.database.db`
  with clock as (update room_clocks set seq = seq + 1 where room_id = ${roomId} returning seq)
  insert into room_events (tenant_id, room_id, seq, event_type, payload, created_at)
  select ${plane.tenant.tenantId}, ${roomId}, seq, ${event},
         ${json({ handout_id: handoutId })}, now() from clock
`

const expires = (item: { file_url: string }) => new URL(item.file_url).searchParams.get('expires')

async function storedObject(handoutId: string) {
  const [row] = await plane.database.db`select storage_key from handouts where id = ${handoutId}`
  return plane.storage.objects.get(String(row?.['storage_key']))
}

describe('GET /sessions/{session_id}/handouts', () => {
  // contract: listHandouts › 200, list of Handouts, `sort` ascending
  test('lists by ascending sort, and equal ones in the order of registration', async () => {
    const { id } = await newSession()
    const names: string[] = []
    for (const sort of [3, 0, 3, 10, 0]) {
      names.push(`${sort}-${(await registered(id, [['sort', String(sort)]])).id}`)
    }
    const [a, b, c, d, e] = names
    const items = await listed(id)
    expect(items.map((item: { sort: number; id: string }) => `${item.sort}-${item.id}`)).toEqual([
      b,
      e,
      a,
      c,
      d,
    ])
  })

  test('shows a handout as it was answered when it was registered', async () => {
    const { id } = await newSession()
    const handout = await registered(id)
    expect(await listed(id)).toEqual([handout])
  })

  // contract: listHandouts › `cursor`, `limit`
  test('walks through pages of any size without missing or repeating one', async () => {
    const { id } = await newSession()
    const all = new Set<string>()
    for (let n = 0; n < 7; n += 1) all.add((await registered(id, [['sort', String(n % 3)]])).id)
    const seen: string[] = []
    let path = `/sessions/${id}/handouts?limit=2`
    for (;;) {
      const { data } = await plane.tenant.get(path)
      seen.push(...data.items.map((item: { id: string }) => item.id))
      expect(data.has_more).toBe(data.next_cursor !== null)
      if (data.next_cursor === null) break
      path = `/sessions/${id}/handouts?limit=2&cursor=${data.next_cursor}`
    }
    expect(seen).toHaveLength(7)
    expect(new Set(seen)).toEqual(all)
  })

  // contract: Fields of a Handout › `file_url` is signed at each read; at least 15 minutes
  test('signs a new address at each read, which lives until the interview is well over', async () => {
    const { id, session } = await plane
      .book()
      .then((room) => ({ ...room.session, session: room.session }))
    const first = await registered(id)
    const start = plane.now
    plane.now = new Date(Date.parse(session.ends_at) + 3 * 3_600_000)
    const [later] = await listed(id)
    plane.now = start
    expect(expires(first)).toBe(new Date(Date.parse(session.ends_at) + 5_400_000).toISOString())
    const quarterHour = Date.parse(session.ends_at) + 3 * 3_600_000 + 900_000
    expect(expires(later)).toBe(new Date(quarterHour).toISOString())
  })

  // contract: listHandouts › Readable after a cancellation
  test('of a cancelled session still answers', async () => {
    const { id } = await newSession()
    await registered(id)
    await plane.tenant.delete(`/sessions/${id}`)
    expect(await listed(id)).toHaveLength(1)
  })

  // contract: listHandouts › 400 INVALID_REQUEST for `limit`, `cursor`, unknown parameters
  test.each(['limit=0', 'limit=101', 'limit=x', 'cursor=abc', 'sort=1'])(
    'with %s is 400 INVALID_REQUEST',
    async (query) => {
      const { id } = await newSession()
      const refused = await plane.tenant.get(`/sessions/${id}/handouts?${query}`)
      expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    },
  )

  test('takes no cursor of another session', async () => {
    const one = await newSession()
    const two = await newSession()
    for (const { id } of [one, one, two, two]) await registered(id)
    const { data } = await plane.tenant.get(`/sessions/${one.id}/handouts?limit=1`)
    const refused = await plane.tenant.get(
      `/sessions/${two.id}/handouts?cursor=${data.next_cursor}`,
    )
    expect(refused.details).toEqual([['cursor', 'INVALID_FORMAT']])
  })

  // contract: listHandouts › Other tenant: 404 NOT_FOUND
  test('of another tenant answers like an unknown session', async () => {
    const { id } = await newSession()
    const foreign = await plane.other.get(`/sessions/${id}/handouts`)
    expect([foreign.status, foreign.code]).toEqual([404, 'NOT_FOUND'])
    const unknown = await plane.tenant.get(`/sessions/${randomUUID()}/handouts`)
    expect(unknown.text).toBe(foreign.text)
  })
})

describe('PATCH /handouts/{handout_id}', () => {
  // contract: patchHandout › 200, only the given parts change: `sort`
  test('changes the order and nothing else for a new sort', async () => {
    const { id } = await newSession()
    const before = await registered(id, [['sort', '4']])
    const answer = await patch(before.id, [['sort', '1']])
    expect(answer.status).toBe(200)
    expect(answer.data).toEqual({ ...before, sort: 1 })
    expect(await listed(id)).toEqual([answer.data])
  })

  // contract: patchHandout › `title`, also while it is shown
  test.each([
    ['', 'TOO_SHORT'],
    ['a'.repeat(201), 'TOO_LONG'],
  ])('changes the title, and refuses one like %j', async (title, code) => {
    const { id } = await newSession()
    const before = await registered(id)
    const answer = await patch(before.id, [['title', 'Package, back']])
    expect(answer.data).toEqual({ ...before, title: 'Package, back' })
    const refused = await patch(before.id, [['title', title]])
    expect([refused.status, refused.details]).toEqual([400, [['title', code]]])
    expect(await listed(id)).toEqual([answer.data])
  })

  // contract: patchHandout › `file` replaces file and name
  test('replaces the file and its name, keeps id and order, and deletes the old file', async () => {
    const { id } = await newSession()
    const before = await registered(id, [['sort', '4']])
    await deletions()
    const objects = plane.storage.objects.size
    const other = Buffer.concat([SAMPLES.gif, Buffer.from('another')])
    const answer = await patch(before.id, [['file', file('new.gif', other)]])
    expect(answer.data).toMatchObject({ id: before.id, sort: 4, file_name: 'new.gif' })
    expect((await storedObject(before.id))?.body.equals(other)).toBe(true)
    await deletions()
    expect(plane.storage.objects.size).toBe(objects)
    expect(await storedObject(before.id)).toBeDefined()
  })

  // contract: patchHandout › `content_type` with a file of its kind
  test('of file and content_type makes a film of a picture', async () => {
    const { id } = await newSession()
    const before = await registered(id)
    const answer = await patch(before.id, MOV)
    expect([answer.data.content_type, answer.data.file_name]).toEqual(['video', 'film.mov'])
  })

  // contract: patchHandout › Without any part nothing changes
  test('without any part changes nothing', async () => {
    const { id } = await newSession()
    const before = await registered(id)
    expect((await patch(before.id, [])).data).toEqual(before)
    const without = await plane.tenant.send({
      method: 'PATCH',
      url: `/api/v1/handouts/${before.id}`,
    })
    expect([without.status, without.data]).toEqual([200, before])
  })

  // contract: patchHandout › 400 INVALID_REQUEST and 422 UNSUPPORTED_FILE_TYPE as at registration
  test.each<[string, TestParts, number, string, string[]]>([
    [
      'a film for a picture',
      [['file', file('a.mov', SAMPLES.mov)]],
      422,
      'UNSUPPORTED_FILE_TYPE',
      ['content_type', 'CONTENT_MISMATCH'],
    ],
    [
      'content_type video for a picture',
      [['content_type', 'video']],
      422,
      'UNSUPPORTED_FILE_TYPE',
      ['content_type', 'CONTENT_MISMATCH'],
    ],
    [
      'a PDF',
      [['file', file('a.pdf', Buffer.from('%PDF'))]],
      422,
      'UNSUPPORTED_FILE_TYPE',
      ['file', 'UNSUPPORTED_EXTENSION'],
    ],
    ['sort -1', [['sort', '-1']], 400, 'INVALID_REQUEST', ['sort', 'OUT_OF_RANGE']],
    ['sort one', [['sort', 'one']], 400, 'INVALID_REQUEST', ['sort', 'INVALID_TYPE']],
    [
      'content_type pdf',
      [['content_type', 'pdf']],
      400,
      'INVALID_REQUEST',
      ['content_type', 'INVALID_ENUM'],
    ],
    [
      'external_id',
      [['external_id', '1']],
      400,
      'INVALID_REQUEST',
      ['external_id', 'UNKNOWN_FIELD'],
    ],
  ])('with %s is refused, and nothing changes', async (...[_what, parts, status, code, detail]) => {
    const { id } = await newSession()
    const before = await registered(id)
    await deletions()
    const objects = [...plane.storage.objects.keys()]
    const refused = await patch(before.id, parts)
    expect([refused.status, refused.code, refused.details]).toEqual([status, code, [detail]])
    expect(await listed(id)).toEqual([before])
    await deletions()
    expect([...plane.storage.objects.keys()]).toEqual(objects)
  })

  // contract: patchHandout › 413 FILE_TOO_LARGE
  test('with an image of more than 20 MB: 413 FILE_TOO_LARGE', async () => {
    const { id } = await newSession()
    const before = await registered(id)
    const body = Buffer.alloc(20_000_001)
    SAMPLES.png.copy(body)
    const refused = await patch(before.id, [['file', file('a.png', body)]])
    expect([refused.status, refused.code]).toEqual([413, 'FILE_TOO_LARGE'])
  })

  // contract: patchHandout › 409 HANDOUT_IN_USE for the file of one that is being presented; `sort`
  //   may change
  test('of the file while it is presented: 409 HANDOUT_IN_USE; of sort is allowed', async () => {
    const { id, roomId } = await newSession()
    const handout = await registered(id)
    await record(roomId, 'handout.show', handout.id)
    const refused = await patch(handout.id, [
      ['file', PNG],
      ['sort', '2'],
    ])
    expect([refused.status, refused.code]).toEqual([409, 'HANDOUT_IN_USE'])
    expect((await patch(handout.id, [['sort', '2']])).data.sort).toBe(2)
    await record(roomId, 'handout.hide', handout.id)
    expect((await patch(handout.id, [['file', PNG]])).status).toBe(200)
  })

  // contract: patchHandout › 409 SESSION_RELEASED
  test('of a released session: 409 SESSION_RELEASED', async () => {
    const { id } = await newSession()
    const handout = await registered(id)
    await plane.tenant.delete(`/sessions/${id}`)
    const refused = await patch(handout.id, [['sort', '2']])
    expect([refused.status, refused.code]).toEqual([409, 'SESSION_RELEASED'])
  })

  // contract: patchHandout › 415 UNSUPPORTED_MEDIA_TYPE for anything but a form
  test('with JSON is 415 UNSUPPORTED_MEDIA_TYPE', async () => {
    const handout = await registered((await newSession()).id)
    const refused = await plane.tenant.patch(`/handouts/${handout.id}`, { sort: 2 })
    expect([refused.status, refused.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  // contract: patchHandout › Other tenant: 404 NOT_FOUND, and nothing changes
  test('of another tenant answers like an unknown and a malformed id, and changes nothing', async () => {
    const { id } = await newSession()
    const handout = await registered(id)
    const foreign = await patch(handout.id, [['sort', '2']], plane.other)
    const unknown = await patch(randomUUID(), [['sort', '2']])
    const malformed = await patch('7', [['sort', '2']])
    expect([foreign.status, foreign.code]).toEqual([404, 'NOT_FOUND'])
    expect([unknown.text, malformed.text]).toEqual([foreign.text, foreign.text])
    expect(await listed(id)).toEqual([handout])
  })

  test('20 concurrent changes all succeed, and leave one file', async () => {
    const { id } = await newSession()
    const handout = await registered(id)
    await deletions()
    const objects = plane.storage.objects.size
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        patch(handout.id, [
          ['file', file(`v${n}.png`, SAMPLES.png)],
          ['sort', String(n)],
        ]),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const [left] = await listed(id)
    expect(left.file_name).toBe(`v${left.sort}.png`)
    await deletions()
    expect(plane.storage.objects.size).toBe(objects)
  })
})

describe('DELETE /handouts/{handout_id}', () => {
  // contract: deleteHandout › 204, and 204 again; the file goes
  test('removes handout and file: 204, and 204 again', async () => {
    const { id } = await newSession()
    const handout = await registered(id)
    await deletions()
    const objects = plane.storage.objects.size
    const answers = [
      await plane.tenant.delete(`/handouts/${handout.id}`),
      await plane.tenant.delete(`/handouts/${handout.id}`),
    ]
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [204, ''],
      [204, ''],
    ])
    expect(await listed(id)).toEqual([])
    expect((await patch(handout.id, [['sort', '1']])).status).toBe(404)
    await deletions()
    expect(plane.storage.objects.size).toBe(objects - 1)
  })

  // contract: deleteHandout › Frees its external reference
  test('frees its external reference', async () => {
    const { id } = await newSession()
    const ref: TestParts = [
      ['external_type', 'A'],
      ['external_id', '1'],
    ]
    const first = await registered(id, ref)
    await plane.tenant.delete(`/handouts/${first.id}`)
    expect((await registered(id, ref)).id).not.toBe(first.id)
  })

  // contract: deleteHandout › 409 HANDOUT_IN_USE from its latest handout.show until a later
  //   handout.hide
  // contract: Error codes › 409 HANDOUT_IN_USE
  test('while it is presented: 409 HANDOUT_IN_USE, until a later hide of this one', async () => {
    const { id, roomId } = await newSession()
    const [shown, hidden] = [await registered(id), await registered(id)]
    await record(roomId, 'handout.hide', shown.id)
    await record(roomId, 'handout.show', shown.id)
    await record(roomId, 'handout.hide', hidden.id)
    const refused = await plane.tenant.delete(`/handouts/${shown.id}`)
    expect([refused.status, refused.code]).toEqual([409, 'HANDOUT_IN_USE'])
    expect((await plane.tenant.delete(`/handouts/${hidden.id}`)).status).toBe(204)
    await record(roomId, 'handout.hide', shown.id)
    expect((await plane.tenant.delete(`/handouts/${shown.id}`)).status).toBe(204)
  })

  // contract: deleteHandout › Possible after a release
  test('of a released session is possible', async () => {
    const { id } = await newSession()
    const handout = await registered(id)
    await plane.tenant.delete(`/sessions/${id}`)
    expect((await plane.tenant.delete(`/handouts/${handout.id}`)).status).toBe(204)
  })

  test('returns 204 to each of 20 concurrent requests', async () => {
    const handout = await registered((await newSession()).id)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => plane.tenant.delete(`/handouts/${handout.id}`)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  })

  // contract: deleteHandout › Other tenant: 404 NOT_FOUND, before and after the deletion
  test('of another tenant answers like an unknown id, before and after it was deleted', async () => {
    const { id } = await newSession()
    const handout = await registered(id)
    const unknown = await plane.tenant.delete(`/handouts/${randomUUID()}`)
    expect([unknown.status, unknown.code]).toEqual([404, 'NOT_FOUND'])
    expect((await plane.other.delete(`/handouts/${handout.id}`)).text).toBe(unknown.text)
    expect(await listed(id)).toHaveLength(1)
    await plane.tenant.delete(`/handouts/${handout.id}`)
    expect((await plane.other.delete(`/handouts/${handout.id}`)).text).toBe(unknown.text)
    expect((await plane.tenant.delete('/handouts/7')).text).toBe(unknown.text)
  })
})
