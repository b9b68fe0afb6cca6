import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { json } from '../../platform/db/db.ts'
import { deleteObjectsJob } from '../../platform/storage/delete-objects.job.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { file, SAMPLES, sendForm, type TestParts } from '../../testing/multipart.ts'
import { runJobs } from '../../testing/run-jobs.ts'

const plane = useControlPlane()

const FORM: TestParts = [
  ['file', file('plan.png', SAMPLES.png)],
  ['content_type', 'image'],
]
const TWINS = 20

const withKey = (key: string) => ({ 'idempotency-key': key })

const register = (path: `POST ${string}`, parts: TestParts, headers = {}) =>
  sendForm(plane.tenant, path, { parts, headers })

async function newSession(): Promise<{ id: string; path: `POST ${string}`; roomId: string }> {
  const { id: roomId, session } = await plane.book()
  return { id: session.id, path: `POST /sessions/${session.id}/handouts`, roomId }
}

/** Every stored object belongs to a handout, and every handout has its object. */
async function expectOneObjectEach(): Promise<void> {
  await runJobs(plane.database.db, deleteObjectsJob(plane.deps))
  const rows = await plane.database.db`select storage_key as key from handouts`
  const keys = rows.map(({ key }) => String(key))
  expect([...plane.storage.objects.keys()].toSorted()).toEqual(keys.toSorted())
}

describe('Idempotency-Key of POST /sessions/{session_id}/handouts', () => {
  // contract: Idempotency › Handouts: 20 concurrent requests with one key make one; the key covers
  //   every part of the form
  test('makes one handout with one answer and one file of 20 concurrent repeats', async () => {
    const { path, id } = await newSession()
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: TWINS }, () => register(path, FORM, withKey(key))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: TWINS }, () => 201))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(new Set(answers.map(({ headers }) => headers['location'])).size).toBe(1)
    const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
    expect(replayed).toHaveLength(TWINS - 1)
    expect((await plane.tenant.get(`/sessions/${id}/handouts`)).data.items).toHaveLength(1)
    await expectOneObjectEach()
  })

  test('replays the first answer regardless of the order of the parts, and also after a release', async () => {
    const { path, id } = await newSession()
    const key = randomUUID()
    const first = await register(path, FORM, withKey(key))
    await plane.tenant.delete(`/sessions/${id}`)
    const again = await register(path, FORM.toReversed(), withKey(key))
    expect([again.status, again.text]).toEqual([201, first.text])
  })

  // contract: registerHandout › Idempotency-Key: 422 IDEMPOTENCY_KEY_CONFLICT for another file,
  //   name or part
  test.each<[string, TestParts]>([
    [
      'file',
      [
        ['file', file('plan.png', Buffer.concat([SAMPLES.png, Buffer.from('!')]))],
        ['content_type', 'image'],
      ],
    ],
    [
      'name',
      [
        ['file', file('other.png', SAMPLES.png)],
        ['content_type', 'image'],
      ],
    ],
    ['sort', [...FORM, ['sort', '1']]],
  ])(
    'with another %s is 422 IDEMPOTENCY_KEY_CONFLICT, and nothing is left',
    async (_what, parts) => {
      const { path } = await newSession()
      const key = randomUUID()
      await register(path, FORM, withKey(key))
      const refused = await register(path, parts, withKey(key))
      expect([refused.status, refused.code]).toEqual([422, 'IDEMPOTENCY_KEY_CONFLICT'])
      await expectOneObjectEach()
    },
  )
})

// contract: registerHandout › 20 concurrent requests of one reference are one
test('20 concurrent registrations of one external reference make one handout with one file', async () => {
  const { path, id } = await newSession()
  const answers = await Promise.all(
    Array.from({ length: TWINS }, (_, n) =>
      register(path, [
        ['file', file(`v${n}.png`, Buffer.concat([SAMPLES.png, Buffer.from([n])]))],
        ['content_type', 'image'],
        ['external_type', 'ProjectHandout'],
        ['external_id', 'contended'],
      ]),
    ),
  )
  expect(new Set(answers.map(({ status, data }) => `${status} ${data.id}`)).size).toBe(1)
  expect((await plane.tenant.get(`/sessions/${id}/handouts`)).data.items).toHaveLength(1)
  await expectOneObjectEach()
})

/** Registers a file, and runs `meanwhile` once all of it has been stored. */
async function registerDuring(
  path: `POST ${string}`,
  parts: TestParts,
  meanwhile: () => Promise<unknown>,
) {
  const put = plane.storage.put.bind(plane.storage)
  plane.storage.put = async (key, body, options) => {
    const stored = await put(key, body, options)
    await meanwhile()
    return stored
  }
  const answer = await register(path, parts)
  plane.storage.put = put
  return answer
}

describe('a change while a file is being uploaded', () => {
  test('takes effect: if the session is cancelled it is 409 SESSION_RELEASED, and no file is left', async () => {
    const { path, id } = await newSession()
    const refused = await registerDuring(path, FORM, () => plane.tenant.delete(`/sessions/${id}`))
    expect([refused.status, refused.code]).toEqual([409, 'SESSION_RELEASED'])
    await expectOneObjectEach()
  })

  test('takes effect: if the handout is presented it is 409 HANDOUT_IN_USE, and the presented file stays', async () => {
    const { path, roomId } = await newSession()
    const form: TestParts = [...FORM, ['external_type', 'A'], ['external_id', '1']]
    const { data } = await register(path, form)
    const refused = await registerDuring(
      path,
      form,
      () => plane.database.db`
        insert into room_events (tenant_id, room_id, seq, event_type, payload, created_at)
        values (${plane.tenant.tenantId}, ${roomId}, 1000, 'handout.show',
                ${json({ handout_id: data.id })}, now())
      `,
    )
    expect([refused.status, refused.code]).toEqual([409, 'HANDOUT_IN_USE'])
    await expectOneObjectEach()
  })
})
