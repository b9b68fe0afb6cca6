import { randomUUID } from 'node:crypto'
import { VIEWER_WRITES_PER_MIN } from '@interview-room/contract/limits.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addRecordedRoom } from '../../testing/recordings.ts'
import { callAsViewer } from '../../testing/viewer-calls.ts'

const plane = useControlPlane()
let acting: ActingTenant
let recordingId: string
let author: string
let other: string

beforeAll(async () => {
  acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
})

beforeEach(async () => {
  ;({ recordingId } = await addRecordedRoom(plane))
  author = await acting.signViewerToken({ recording_id: recordingId, sub: randomUUID() })
  other = await acting.signViewerToken({ recording_id: recordingId, sub: randomUUID() })
})

const pathOf = (id: string) => `/recordings/${recordingId}/comments/${id}`
const write = async (token = author) =>
  callAsViewer(plane.app, ['POST', `/recordings/${recordingId}/comments`], {
    token,
    body: { text: 'First', offset_sec: 10 },
  })
const change = (id: string, body: unknown, token = author) =>
  callAsViewer(plane.app, ['PATCH', pathOf(id)], { token, body })
const remove = (id: string, token = author) =>
  callAsViewer(plane.app, ['DELETE', pathOf(id)], { token })
const list = async () =>
  (await callAsViewer(plane.app, ['GET', `/recordings/${recordingId}/comments`], { token: other }))
    .data.items

describe('a comment', () => {
  // contract: updateComment › 200 Comment with the new text or place, and `updated_at`
  test('is changed by its author, member by member', async () => {
    const { data } = await write()
    const changed = await change(data.id, { text: 'Second' })
    expect(changed.status).toBe(200)
    const updated = expect.stringMatching(/Z$/)
    expect(changed.data).toEqual({ ...data, text: 'Second', updated_at: updated })
    const moved = await change(data.id, { offset_sec: null })
    expect(moved.data).toEqual({ ...changed.data, offset_sec: null, updated_at: updated })
    expect(await list()).toEqual([moved.data])
  })

  // contract: updateComment › `end_sec`: a range, until a place is set without an end
  test('becomes a range and a moment again', async () => {
    const { data } = await write()
    expect((await change(data.id, { end_sec: 12 })).data).toMatchObject({
      offset_sec: 10,
      end_sec: 12,
    })
    expect((await change(data.id, { end_sec: 9 })).details).toEqual([
      ['end_sec', 'TRIM_RANGE_INVALID'],
    ])
    expect((await change(data.id, { offset_sec: 20 })).data).toMatchObject({
      offset_sec: 20,
      end_sec: null,
    })
  })

  // contract: updateComment › `is_resolved`: set by everybody who may comment, and no change of the text
  // contract: updateComment › 200 Comment, whose `reply_to` stays
  test('is settled and reopened by anybody, who changes nothing else', async () => {
    const { data } = await write()
    const settled = await change(data.id, { is_resolved: true }, other)
    expect(settled.data).toEqual({ ...data, is_resolved: true })
    expect((await change(data.id, { is_resolved: false, text: 'x' }, other)).status).toBe(404)
    expect(await list()).toEqual([settled.data])
    expect((await change(data.id, { is_resolved: false }, other)).data).toEqual(data)
  })

  // contract: deleteComment › Its answers are deleted, too
  test('is deleted with its answers', async () => {
    const { data } = await write()
    const body = { text: 'Because', reply_to: data.id }
    const path = `/recordings/${recordingId}/comments`
    await callAsViewer(plane.app, ['POST', path], { token: other, body })
    expect(await list()).toHaveLength(2)
    await remove(data.id)
    expect(await list()).toEqual([])
  })

  // contract: updateComment › 404 NOT_FOUND unless the `sub` of the token wrote it; 401 for an API key
  // contract: updateComment › 400 INVALID_REQUEST for fields; 422 VALIDATION_ERROR after the end; 409
  //   RECORDING_NOT_AVAILABLE unless it is available; 429 RATE_LIMIT_EXCEEDED as for any write
  test.each([
    ['of somebody else', { text: 'x' }, () => other, 404],
    ['with nothing', { text: '' }, () => author, 400],
    ['with an unknown member', { viewer: 'x' }, () => author, 400],
    ['to a place after the end', { offset_sec: 61 }, () => author, 422],
  ])('%s is not changed', async (_what, body, token, status) => {
    const { data } = await write()
    expect((await change(data.id, body, token())).status).toBe(status)
    expect(await list()).toEqual([data])
  })

  test('of a recording that expired is not changed', async () => {
    const { data } = await write()
    await plane.database.db`update recordings set status = 'expired' where id = ${recordingId}`
    expect((await change(data.id, { text: 'x' })).code).toBe('RECORDING_NOT_AVAILABLE')
  })

  test('that is not there is 404', async () => {
    expect((await change(randomUUID(), { text: 'x' })).status).toBe(404)
    const { data } = await write()
    const url = `/api/v1${pathOf(data.id)}`
    expect((await plane.tenant.send({ method: 'PATCH', url, payload: '{}' })).status).toBe(401)
  })

  // contract: deleteComment › 204 for its author and for the API key; a repeat is 204
  // contract: deleteComment › 404 NOT_FOUND for another viewer
  test('is deleted by its author or the API key, and by nobody else', async () => {
    const own = await write()
    const second = await write()
    expect((await remove(own.data.id, other)).status).toBe(404)
    for (const _ of ['first', 'repeat']) expect((await remove(own.data.id)).status).toBe(204)
    const url = `/api/v1${pathOf(second.data.id)}`
    for (const _ of ['first', 'repeat']) {
      expect((await plane.tenant.send({ method: 'DELETE', url })).status).toBe(204)
    }
    expect(await list()).toEqual([])
  })
})

describe('the writes of a viewer', () => {
  // contract: createComment › 429 RATE_LIMIT_EXCEEDED after 60 writes of one `sub` in a minute
  // contract: Limits › A viewer writes `VIEWER_WRITES_PER_MIN` times a minute
  test('are limited to 60 a minute, whatever they write', async () => {
    const token = await acting.signViewerToken({
      recording_id: recordingId,
      sub: randomUUID(),
      may: ['comment', 'clip'],
    })
    const post = async (what: string, body: unknown) =>
      callAsViewer(plane.app, ['POST', `/recordings/${recordingId}/${what}`], { token, body })
    for (let n = 1; n < VIEWER_WRITES_PER_MIN; n += 1) await post('comments', { text: 'x' })
    expect((await post('clips', { start_sec: 1, end_sec: 2 })).status).toBe(201)
    const refused = await post('clips', { start_sec: 1, end_sec: 2 })
    expect([refused.status, refused.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await write(other)).status).toBe(201)
    plane.now = new Date(plane.now.getTime() + 60_000)
    expect((await post('comments', { text: 'x' })).status).toBe(201)
  })
})

describe('an address that a viewer gets', () => {
  // contract: getRecordingDownloadUrl › For a viewer the URL lives for at most five minutes, and no longer than the token
  // contract: listDownloadAccesses › An entry has `api_key_id`, or `viewer` with `reference` and `token_id`
  // contract: Limits › An address for a viewer lives for `VIEWER_URL_MAX_SEC`
  test('lives no longer than five minutes or the token, and the log names the viewer', async () => {
    const now = Math.floor(plane.now.getTime() / 1000)
    const sign = (lifeSec: number, jti: string) =>
      acting.signViewerToken({
        recording_id: recordingId,
        sub: 'client-7',
        may: ['download'],
        jti,
        iat: now,
        exp: now + lifeSec,
      })
    const path = `/recordings/${recordingId}/download-url`
    const lifeOf = async (token: string) => {
      const { data } = await callAsViewer(plane.app, ['GET', path], { token })
      return (Date.parse(data.expires_at) - plane.now.getTime()) / 1000
    }
    expect(await lifeOf(await sign(3600, 'long'))).toBeLessThanOrEqual(300)
    expect(await lifeOf(await sign(20, 'short'))).toBeLessThanOrEqual(21)
    await plane.tenant.get(path)
    const log = await plane.tenant.get(`/access-log?recording_id=${recordingId}`)
    const keyId = expect.any(String)
    expect(log.data.items).toMatchObject([
      { api_key_id: keyId, viewer: null },
      { api_key_id: null, viewer: { reference: 'client-7', token_id: 'short' } },
      { api_key_id: null, viewer: { reference: 'client-7', token_id: 'long' } },
    ])
  })
})
