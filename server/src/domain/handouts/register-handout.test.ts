import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { json } from '../../platform/db/db.ts'
import { deleteObjectsJob } from '../../platform/storage/delete-objects.job.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { file, multipartOf, SAMPLES, sendForm, type TestParts } from '../../testing/multipart.ts'
import { runJobs } from '../../testing/run-jobs.ts'

const plane = useControlPlane()

const PNG = file('plan.png', SAMPLES.png)
const FORM: TestParts = [
  ['file', PNG],
  ['content_type', 'image'],
]

async function newSession(): Promise<{ id: string; path: `POST ${string}`; roomId: string }> {
  const { id: roomId, session } = await plane.book()
  return { id: session.id, path: `POST /sessions/${session.id}/handouts`, roomId }
}

const register = (path: `POST ${string}`, parts: TestParts, headers = {}) =>
  sendForm(plane.tenant, path, { parts, headers })

const show = (roomId: string, handoutId: string, event = 'handout.show') => plane.database.db`
  with clock as (update room_clocks set seq = seq + 1 where room_id = ${roomId} returning seq)
  insert into room_events (tenant_id, room_id, seq, event_type, payload, created_at)
  select ${plane.tenant.tenantId}, ${roomId}, seq, ${event},
         ${json({ handout_id: handoutId })}, now() from clock
`

const deletions = () => runJobs(plane.database.db, deleteObjectsJob(plane.deps))

/** Storage keys of the handouts, and the keys of the objects in the storage. */
async function compareWithStorage() {
  await deletions()
  const rows = await plane.database.db`select storage_key as key from handouts`
  return {
    rows: rows.map(({ key }) => String(key)).toSorted(),
    objects: [...plane.storage.objects.keys()].toSorted(),
  }
}

async function expectNothingLeft(act: () => Promise<unknown>): Promise<void> {
  await deletions()
  const before = [...plane.storage.objects.keys()].toSorted()
  await act()
  await deletions()
  expect([...plane.storage.objects.keys()].toSorted()).toEqual(before)
}

describe('POST /sessions/{session_id}/handouts', () => {
  // contract: Fields of a Handout › `id`, `session_id`, `external_type`, `external_id`,
  //   `file_name`, `title`, `file_url`, `content_type`, `sort`, `created_at`
  // contract: registerHandout › 201 with `Location`
  test('registers a file and answers 201 with its Location and a signed address', async () => {
    const { id, path } = await newSession()
    const answer = await register(path, [
      ['file', PNG],
      ['content_type', 'image'],
      ['sort', '3'],
      ['title', 'パッケージ案'],
      ['external_type', 'ProjectHandout'],
      ['external_id', 'h-1'],
    ])
    expect(answer.status).toBe(201)
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      session_id: id,
      external_type: 'ProjectHandout',
      external_id: 'h-1',
      file_name: 'plan.png',
      title: 'パッケージ案',
      file_url: expect.stringContaining('https://storage.test/'),
      content_type: 'image',
      sort: 3,
      created_at: expect.stringMatching(/Z$/),
    })
    expect(answer.headers['location']).toBe(`/api/v1/handouts/${answer.data.id}`)
  })

  // contract: Fields of a Handout › `sort` is 0 by default
  test('stores exactly the bytes that were sent, with their media type', async () => {
    const { path } = await newSession()
    const body = Buffer.concat([SAMPLES.mp4, Buffer.alloc(3_000_000, 9)])
    const { data } = await register(path, [
      ['file', { fileName: '動画.MP4', body, mime: 'text/html' }],
      ['content_type', 'video'],
    ])
    expect([data.file_name, data.title, data.content_type, data.sort]).toEqual([
      '動画.MP4',
      null,
      'video',
      0,
    ])
    const [row] = await plane.database.db`select * from handouts where id = ${data.id}`
    expect(row).toMatchObject({ mime: 'video/mp4', size_bytes: BigInt(body.length) })
    const object = plane.storage.objects.get(String(row?.['storage_key']))
    expect(object?.mime).toBe('video/mp4')
    expect(object?.body.equals(body)).toBe(true)
    expect(String(row?.['storage_key'])).not.toContain('MP4')
  })

  // contract: registerHandout › Parts `file`, `content_type`, `sort`, `title`, `external_type`,
  //   `external_id`, in any order
  test('takes its parts in any order', async () => {
    const { path } = await newSession()
    const answer = await register(path, [
      ['sort', '1'],
      ['external_id', 'x'],
      ['content_type', 'image'],
      ['file', PNG],
      ['external_type', 'ProjectHandout'],
    ])
    expect([answer.status, answer.data.sort, answer.data.external_id]).toEqual([201, 1, 'x'])
  })

  // contract: Fields of a Handout › `file_url` outlives the interview
  test('gives an address that outlives the interview by an hour and a half', async () => {
    const { session, id } = await plane.book()
    const { data } = await register(`POST /sessions/${session.id}/handouts`, FORM)
    expect(id).not.toBe('')
    const url = new URL(data.file_url)
    const expected = Date.parse(session.ends_at) + 90 * 60_000
    expect(url.searchParams.get('expires')).toBe(new Date(expected).toISOString())
    expect(url.searchParams.get('disposition')).toBe('inline')
  })

  // contract: Fields of a Handout › `external_type`, `external_id` are null for an ad hoc handout
  test('without external reference makes another handout every time', async () => {
    const { path } = await newSession()
    const [one, two] = [await register(path, FORM), await register(path, FORM)]
    expect(one.data.id).not.toBe(two.data.id)
    expect([one.data.external_type, one.data.external_id]).toEqual([null, null])
  })

  // contract: registerHandout › The same external reference again replaces the file and keeps the
  //   id
  test('with a known external reference replaces the file, keeps the id and releases the old file', async () => {
    const { path } = await newSession()
    const ref: TestParts = [
      ['external_type', 'ProjectHandout'],
      ['external_id', 'same'],
    ]
    const first = await register(path, [...FORM, ...ref, ['sort', '5']])
    const second = await register(path, [
      ['file', file('film.mov', SAMPLES.mov)],
      ['content_type', 'video'],
      ...ref,
    ])
    expect([second.status, second.headers['location']]).toEqual([201, first.headers['location']])
    expect(second.data).toMatchObject({
      id: first.data.id,
      created_at: first.data.created_at,
      file_name: 'film.mov',
      content_type: 'video',
      sort: 0,
    })
    const { rows, objects } = await compareWithStorage()
    expect(objects).toEqual(rows)
  })

  test('leaves the same reference of another session alone', async () => {
    const ref: TestParts = [
      ['external_type', 'ProjectHandout'],
      ['external_id', 'shared'],
    ]
    const one = await register((await newSession()).path, [...FORM, ...ref])
    const two = await register((await newSession()).path, [...FORM, ...ref])
    expect([two.status, two.data.id === one.data.id]).toEqual([201, false])
  })
})

describe('refusals of POST /sessions/{session_id}/handouts', () => {
  // contract: registerHandout › 400 INVALID_REQUEST: `file` or `content_type` missing, enum, `sort`
  //   not an integer of 0 to 2147483647 (`HANDOUT_SORT_MAX`), unpaired or over-long external
  //   reference, parts twice or unknown
  // contract: registerHandout › 400 INVALID_REQUEST: a `title` above 200 characters (`HANDOUT_TITLE_MAX`)
  // contract: Detail codes › `PAIR_REQUIRED`, `DUPLICATE`
  test.each<[string, TestParts, string[][]]>([
    ['without file', [['content_type', 'image']], [['file', 'REQUIRED']]],
    ['without content_type', [['file', PNG]], [['content_type', 'REQUIRED']]],
    [
      'without any part',
      [],
      [
        ['file', 'REQUIRED'],
        ['content_type', 'REQUIRED'],
      ],
    ],
    [
      'with content_type pdf',
      [
        ['file', PNG],
        ['content_type', 'pdf'],
      ],
      [['content_type', 'INVALID_ENUM']],
    ],
    [
      'with a title of 201 characters',
      [...FORM, ['title', 'x'.repeat(201)]],
      [['title', 'TOO_LONG']],
    ],
    ['with sort -1', [...FORM, ['sort', '-1']], [['sort', 'OUT_OF_RANGE']]],
    ['with sort 2147483648', [...FORM, ['sort', '2147483648']], [['sort', 'OUT_OF_RANGE']]],
    ['with sort 1.5', [...FORM, ['sort', '1.5']], [['sort', 'INVALID_TYPE']]],
    ['with sort 0x10', [...FORM, ['sort', '0x10']], [['sort', 'INVALID_TYPE']]],
    ['with an empty sort', [...FORM, ['sort', '']], [['sort', 'INVALID_TYPE']]],
    [
      'with external_type alone',
      [...FORM, ['external_type', 'A']],
      [['external_id', 'PAIR_REQUIRED']],
    ],
    [
      'with external_id alone',
      [...FORM, ['external_id', '1']],
      [['external_type', 'PAIR_REQUIRED']],
    ],
    [
      'with an external_id of 65 characters',
      [...FORM, ['external_type', 'A'], ['external_id', 'x'.repeat(65)]],
      [['external_id', 'TOO_LONG']],
    ],
    [
      'with a control character in external_id',
      [...FORM, ['external_type', 'A'], ['external_id', 'a\nb']],
      [['external_id', 'INVALID_FORMAT']],
    ],
    [
      'with NUL in external_id',
      [...FORM, ['external_type', 'A'], ['external_id', 'a\0b']],
      [['external_id', 'INVALID_FORMAT']],
    ],
    [
      'with bytes that are not UTF-8',
      [...FORM, ['external_type', Buffer.from([0xff, 0xfe])]],
      [['external_type', 'INVALID_FORMAT']],
    ],
    ['with a huge field', [...FORM, ['sort', '1'.repeat(100_000)]], [['sort', 'TOO_LONG']]],
    [
      'with a part that it does not know',
      [...FORM, ['colour', 'red']],
      [['colour', 'UNKNOWN_FIELD']],
    ],
    ['with a part called __proto__', [...FORM, ['__proto__', 'x']], [['body', 'INVALID_FORMAT']]],
    ['with sort twice', [...FORM, ['sort', '1'], ['sort', '1']], [['sort', 'DUPLICATE']]],
    ['with two files', [...FORM, ['file', PNG]], [['file', 'DUPLICATE']]],
    [
      'with a file without a name',
      [
        ['file', { body: SAMPLES.png }],
        ['content_type', 'image'],
      ],
      [['file', 'INVALID_FORMAT']],
    ],
    [
      'with a file whose name is empty',
      [
        ['file', file('', SAMPLES.png)],
        ['content_type', 'image'],
      ],
      [['file', 'INVALID_FORMAT']],
    ],
  ])('%s: 400 INVALID_REQUEST, and nothing is left', async (_what, parts, details) => {
    const { path } = await newSession()
    await expectNothingLeft(async () => {
      const refused = await register(path, parts)
      expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
      expect(refused.details).toEqual(details)
    })
  })

  // contract: registerHandout › 422 UNSUPPORTED_FILE_TYPE: extension, content and `content_type`
  //   must agree
  // contract: Error codes › 422 UNSUPPORTED_FILE_TYPE
  // contract: Detail codes › `UNSUPPORTED_EXTENSION`, `CONTENT_MISMATCH`
  test.each<[string, TestParts, string[]]>([
    [
      'a PDF',
      [
        ['file', file('a.pdf', Buffer.from('%PDF-1.7'))],
        ['content_type', 'image'],
      ],
      ['file', 'UNSUPPORTED_EXTENSION'],
    ],
    [
      'a name without extension',
      [
        ['file', file('plan', SAMPLES.png)],
        ['content_type', 'image'],
      ],
      ['file', 'UNSUPPORTED_EXTENSION'],
    ],
    [
      'a page called picture',
      [
        ['file', file('a.png', Buffer.from('<script>alert(1)</script>'))],
        ['content_type', 'image'],
      ],
      ['file', 'CONTENT_MISMATCH'],
    ],
    [
      'a GIF called PNG',
      [
        ['file', file('a.png', SAMPLES.gif)],
        ['content_type', 'image'],
      ],
      ['file', 'CONTENT_MISMATCH'],
    ],
    [
      'an empty file',
      [
        ['file', file('a.png', Buffer.alloc(0))],
        ['content_type', 'image'],
      ],
      ['file', 'CONTENT_MISMATCH'],
    ],
    [
      'a picture declared as video',
      [
        ['file', PNG],
        ['content_type', 'video'],
      ],
      ['content_type', 'CONTENT_MISMATCH'],
    ],
    [
      'a film declared as image, before the file',
      [
        ['content_type', 'image'],
        ['file', file('a.mp4', SAMPLES.mp4)],
      ],
      ['content_type', 'CONTENT_MISMATCH'],
    ],
  ])('with %s: 422 UNSUPPORTED_FILE_TYPE, and nothing is left', async (_what, parts, detail) => {
    const { path } = await newSession()
    await expectNothingLeft(async () => {
      const refused = await register(path, parts)
      expect([refused.status, refused.code]).toEqual([422, 'UNSUPPORTED_FILE_TYPE'])
      expect(refused.details).toEqual([detail])
    })
  })

  // contract: registerHandout › 413 FILE_TOO_LARGE at one byte more
  // contract: Error codes › 413 FILE_TOO_LARGE
  // contract: Detail codes › `TOO_LARGE`
  test('with an image of one byte more than 20 MB: 413 FILE_TOO_LARGE, and nothing is left', async () => {
    const { path } = await newSession()
    const body = Buffer.alloc(20_000_001)
    SAMPLES.png.copy(body)
    await expectNothingLeft(async () => {
      const refused = await register(path, [
        ['file', file('a.png', body)],
        ['content_type', 'image'],
      ])
      expect([refused.status, refused.code]).toEqual([413, 'FILE_TOO_LARGE'])
      expect(refused.details).toEqual([['file', 'TOO_LARGE']])
    })
    const most = await register(path, [
      ['file', file('a.png', body.subarray(0, 20_000_000))],
      ['content_type', 'image'],
    ])
    expect(most.status).toBe(201)
  })

  // contract: registerHandout › 400 INVALID_REQUEST for a form that breaks off
  test.each<[string, (whole: Buffer) => Buffer]>([
    ['in the middle of the file', (whole) => whole.subarray(0, 250)],
    ['before the last boundary', (whole) => whole.subarray(0, -20)],
    ['in the headers of a part', (whole) => whole.subarray(0, 60)],
    ['immediately', () => Buffer.from('x')],
  ])('that breaks off %s: 400 INVALID_REQUEST, and nothing is left', async (_where, cut) => {
    const { id } = await newSession()
    const { payload, contentType } = multipartOf(FORM)
    await expectNothingLeft(async () => {
      const refused = await plane.tenant.send({
        method: 'POST',
        url: `/api/v1/sessions/${id}/handouts`,
        payload: cut(payload),
        headers: { 'content-type': contentType },
      })
      expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    })
  })

  // contract: registerHandout › 415 UNSUPPORTED_MEDIA_TYPE for anything but a form
  test.each([
    ['multipart/form-data', 400, 'INVALID_REQUEST'],
    ['application/json', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('with Content-Type %s: %i %s', async (contentType, status, code) => {
    const { id } = await newSession()
    const refused = await plane.tenant.send({
      method: 'POST',
      url: `/api/v1/sessions/${id}/handouts`,
      payload: '{"content_type":"image"}',
      headers: { 'content-type': contentType },
    })
    expect([refused.status, refused.code]).toEqual([status, code])
  })

  // contract: registerHandout › 400 INVALID_REQUEST without a body
  test('without a body: 400 INVALID_REQUEST', async () => {
    const { id } = await newSession()
    const refused = await plane.tenant.post(`/sessions/${id}/handouts`)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  // contract: registerHandout › 409 SESSION_RELEASED for a cancelled Session or a closed Room
  test('of a cancelled session, and of a closed room: 409 SESSION_RELEASED, and nothing is left', async () => {
    const cancelled = await newSession()
    await plane.tenant.delete(`/sessions/${cancelled.id}`)
    const closed = await newSession()
    await plane.tenant.post(`/rooms/${closed.roomId}/close`)
    await expectNothingLeft(async () => {
      for (const { path } of [cancelled, closed]) {
        const refused = await register(path, FORM)
        expect([refused.status, refused.code]).toEqual([409, 'SESSION_RELEASED'])
      }
    })
  })

  // contract: registerHandout › 409 HANDOUT_IN_USE over one that is being presented
  test('over a handout that is being presented: 409 HANDOUT_IN_USE, until it is hidden', async () => {
    const { path, roomId } = await newSession()
    const form: TestParts = [...FORM, ['external_type', 'A'], ['external_id', '1']]
    const { data } = await register(path, form)
    await show(roomId, data.id)
    await expectNothingLeft(async () => {
      const refused = await register(path, form)
      expect([refused.status, refused.code]).toEqual([409, 'HANDOUT_IN_USE'])
    })
    await show(roomId, data.id, 'handout.hide')
    expect((await register(path, form)).status).toBe(201)
  })

  // contract: registerHandout › 503 SERVICE_UNAVAILABLE while the storage is down
  test('while the storage is down: 503 SERVICE_UNAVAILABLE, and the existing handout is kept', async () => {
    const { path, id } = await newSession()
    const form: TestParts = [...FORM, ['external_type', 'A'], ['external_id', '1']]
    await register(path, form)
    plane.storage.isDown = true
    const refused = await register(path, form)
    plane.storage.isDown = false
    expect([refused.status, refused.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    const { data } = await plane.tenant.get(`/sessions/${id}/handouts`)
    expect(data.items).toHaveLength(1)
    const { rows, objects } = await compareWithStorage()
    expect(objects).toEqual(rows)
  })

  test('whose file was deleted meanwhile: 503 SERVICE_UNAVAILABLE, and no handout without a file', async () => {
    const { path, id } = await newSession()
    const put = plane.storage.put.bind(plane.storage)
    plane.storage.put = async (key, body, options) => {
      const stored = await put(key, body, options)
      await deletions()
      return stored
    }
    const refused = await register(path, FORM)
    plane.storage.put = put
    expect([refused.status, refused.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect((await plane.tenant.get(`/sessions/${id}/handouts`)).data.items).toEqual([])
  })
})

describe('another tenant at POST /sessions/{session_id}/handouts', () => {
  // contract: registerHandout › Other tenant: 404 NOT_FOUND
  test('a foreign id answers byte for byte like an unknown and a malformed one', async () => {
    const { path } = await newSession()
    const foreign = await sendForm(plane.other, path, { parts: FORM })
    const unknown = await register(`POST /sessions/${randomUUID()}/handouts`, FORM)
    const malformed = await register('POST /sessions/7/handouts', FORM)
    expect([foreign.status, foreign.code]).toEqual([404, 'NOT_FOUND'])
    expect([unknown.text, malformed.text]).toEqual([foreign.text, foreign.text])
  })
})
