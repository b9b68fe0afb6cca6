import { randomUUID } from 'node:crypto'
import {
  SHARE_OPENINGS_PER_MIN,
  SHARE_PASSWORD_MAX,
  SHARES_MAX,
} from '@interview-room/contract/limits.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureServiceKey } from '../../platform/service-keys/ensure-service-key.ts'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addRecordedRoom, addRecording, setClipMade } from '../../testing/recordings.ts'
import { callAsViewer } from '../../testing/viewer-calls.ts'

const plane = useControlPlane()
let acting: ActingTenant
let roomId: string
let recordingId: string

beforeAll(async () => {
  await ensureServiceKey(plane.deps)
  acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
})

beforeEach(async () => {
  ;({ roomId, recordingId } = await addRecordedRoom(plane))
})

const ALL = ['watch', 'comment', 'clip', 'download', 'share']
const sharer = async (claims: Record<string, unknown> = {}) =>
  acting.signViewerToken({ recording_id: recordingId, may: ALL, ...claims })
const post = async (path: string, token: string, body: unknown = {}) =>
  callAsViewer(plane.app, ['POST', path], { token, body })
const get = async (path: string, token: string) => callAsViewer(plane.app, ['GET', path], { token })
const sharesOf = (id = recordingId) => `/recordings/${id}/shares`
const share = async (body: unknown = {}, token?: string) =>
  post(sharesOf(), token ?? (await sharer()), body)

interface Link {
  id: string
  url: string
}

const tokenIn = ({ url }: Pick<Link, 'url'>) =>
  new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? ''
const open = async (link: Link, body: unknown = {}) =>
  post(`/shares/${link.id}/open`, tokenIn(link), body)

async function madeClip(): Promise<string> {
  const body = { start_sec: 1, end_sec: 2 }
  const { data } = await plane.tenant.post(`/recordings/${recordingId}/clips`, body)
  await setClipMade(plane, data.id)
  return data.id
}

describe('a link to the review room', () => {
  // contract: createReviewLink › 201 ReviewLink: `url`, `token`, `jti`, `expires_at`
  // contract: createReviewLink › `reference`, `name`, `may`, `expires_in_seconds` and one of `recording_id` and `room_id`
  test.each(['recording_id', 'room_id'] as const)('opens a %s for one person', async (scope) => {
    const { status, data } = await plane.tenant.post('/review-links', {
      [scope]: scope === 'room_id' ? roomId : recordingId,
      reference: 'researcher-9',
      name: '佐藤',
      may: ['watch', 'comment'],
      expires_in_seconds: 600,
    })
    expect(status).toBe(201)
    const page = scope === 'room_id' ? `/v/rooms/${roomId}` : `/v/${recordingId}`
    const { publicUrl } = plane.deps.config
    expect(data).toEqual({
      url: `${publicUrl}${page}#token=${data.token}`,
      token: expect.any(String),
      jti: expect.any(String),
      expires_at: new Date(plane.now.getTime() + 600_000).toISOString(),
    })
    const opened = await get('/review', data.token)
    expect(opened.data).toMatchObject({
      viewer: { reference: 'researcher-9', name: '佐藤' },
      may: ['watch', 'comment'],
      recordings: [{ id: recordingId }],
    })
    await plane.tenant.post('/viewer-tokens/revoke', { jti: data.jti })
    plane.now = new Date(plane.now.getTime() + 2000)
    expect((await get('/review', data.token)).status).toBe(401)
  })

  // contract: createReviewLink › 404 NOT_FOUND for a recording or room that is not there; 400 INVALID_REQUEST for fields
  test.each([
    [{ recording_id: randomUUID() }, 404],
    [{ room_id: randomUUID() }, 404],
    [{}, 400],
    [{ recording_id: randomUUID(), room_id: randomUUID() }, 400],
    [{ recording_id: randomUUID(), may: ['everything'] }, 400],
    [{ recording_id: randomUUID(), may: [] }, 400],
  ] as const)('with %j is refused with %i', async (given, status) => {
    const whose = { reference: 'r', name: 'Sato', may: ['watch'] }
    expect((await plane.tenant.post('/review-links', { ...whose, ...given })).status).toBe(status)
  })

  test('needs a name that can be seen', async () => {
    const body = { recording_id: recordingId, reference: 'r', name: ' ', may: ['watch'] }
    const { details } = await plane.tenant.post('/review-links', body)
    expect(details).toEqual([['name', 'INVALID_FORMAT']])
  })
})

describe('a shared recording', () => {
  // contract: createShare › 201 Share: `id`, `recording_id`, `clip_id`, `reel_id`, `url`, `may`, `has_password`, `viewer` with
  //   `reference` and `name`, `views`, `last_viewed_at`, `created_at`, `expires_at`, `revoked_at`
  // contract: openShare › 200 OpenedShare: `recording_id`, `clip_id`, `token`, `expires_at`; each is a view
  // contract: listShares › 200, list of Shares with `views` and `last_viewed_at`, oldest first, `cursor`, `limit`
  test('is opened by anybody with the link, for what it allows', async () => {
    const { status, data } = await share({ may: ['watch', 'download'] })
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.any(String),
      recording_id: recordingId,
      clip_id: null,
      reel_id: null,
      url: expect.stringContaining(`/s/${data.id}#token=`),
      may: ['watch', 'download'],
      has_password: false,
      viewer: { reference: 'researcher-1', name: 'Sato' },
      views: 0,
      last_viewed_at: null,
      created_at: plane.now.toISOString(),
      expires_at: expect.stringMatching(/Z$/),
      revoked_at: null,
    })
    const opened = await open(data)
    expect(opened.data).toMatchObject({ recording_id: recordingId, clip_id: null })
    const { token } = opened.data
    expect((await get('/review', token)).data.may).toEqual(['watch', 'download'])
    expect((await get(`/recordings/${recordingId}/playback`, token)).status).toBe(200)
    expect((await get(`/recordings/${recordingId}/download-url`, token)).status).toBe(200)
    expect((await get(`/recordings/${recordingId}/comments`, token)).status).toBe(401)
    const second = await share({}, await sharer({ sub: 'other' }))
    const page = (await plane.tenant.get(`${sharesOf()}?limit=1`)).data
    expect(page.items).toMatchObject([
      { id: data.id, views: 1, last_viewed_at: plane.now.toISOString() },
    ])
    const rest = await plane.tenant.get(`${sharesOf()}?cursor=${page.next_cursor}`)
    expect(rest.data.items).toMatchObject([{ id: second.data.id, views: 0 }])
  })

  // contract: openShare › `name`: stands beside comments; without it, nobody can comment
  test('is commented on by somebody who gives a name', async () => {
    const { data } = await share({ may: ['watch', 'comment'] })
    const nameless = await open(data)
    expect((await get('/review', nameless.data.token)).data.may).toEqual(['watch'])
    const { token } = (await open(data, { name: 'Client' })).data
    const said = await post(`/recordings/${recordingId}/comments`, token, { text: 'Nice' })
    expect(said.data.viewer.name).toBe('Client')
    const other = (await open(data, { name: 'Client' })).data.token
    const path = `/recordings/${recordingId}/comments/${said.data.id}`
    const change = { token: other, body: { text: 'Not mine' } }
    expect((await callAsViewer(plane.app, ['PATCH', path], change)).status).toBe(404)
  })

  // contract: createShare › `clip_id`: opens this clip, and nothing else of the recording
  // contract: getClipPlayback › 200 RecordingPlayback: `url`, `expires_at`, `mime`, `size`, `duration_sec`
  // contract: getReview › `clip` is that of a link that opens only this clip
  // contract: searchTranscripts › 404 NOT_FOUND for a link that opens only a clip or a reel
  test('of which only a clip is shared shows nothing else', async () => {
    const clipId = await madeClip()
    const other = await madeClip()
    const { data } = await share({ clip_id: clipId })
    const { token } = (await open(data)).data
    const review = (await get('/review', token)).data
    expect([review.recordings, review.clip.id]).toEqual([[], clipId])
    const played = await get(`/clips/${clipId}/playback`, token)
    expect(played.data).toEqual({
      url: expect.any(String),
      expires_at: expect.stringMatching(/Z$/),
      mime: 'video/mp4',
      size: 8,
      duration_sec: 10.5,
    })
    for (const path of [
      `/clips/${other}/playback`,
      `/recordings/${recordingId}/playback`,
      `/recordings/${recordingId}/timeline`,
      `/recordings/${recordingId}/transcriptions`,
      '/transcript-search?q=words',
    ]) {
      expect([path, (await get(path, token)).code]).toEqual([path, 'NOT_FOUND'])
    }
  })

  // contract: getClipPlayback › 409 CLIP_NOT_AVAILABLE until it is made
  test('has no clip to play until it is made', async () => {
    const body = { start_sec: 1, end_sec: 2 }
    const { data } = await plane.tenant.post(`/recordings/${recordingId}/clips`, body)
    const answer = await get(`/clips/${data.id}/playback`, await sharer())
    expect(answer.code).toBe('CLIP_NOT_AVAILABLE')
  })

  // contract: createShare › `password`: asked for at every opening
  // contract: Detail codes › `PASSWORD_WRONG`
  // contract: openShare › 422 VALIDATION_ERROR, `REQUIRED` or `PASSWORD_WRONG`, on `password`
  test('with a password opens with it alone', async () => {
    const named = await share({ may: ['watch', 'comment'], password: 'right password' })
    expect(new URL(named.data.url).hash).toMatch(/&asks=password,name$/)
    const { data } = await share({ password: '最初の反応を見る' })
    expect(data.has_password).toBe(true)
    expect((await open(data)).details).toEqual([['password', 'REQUIRED']])
    const wrong = await open(data, { password: '最初の反応' })
    expect([wrong.status, wrong.details]).toEqual([422, [['password', 'PASSWORD_WRONG']]])
    const opened = await open(data, { password: '最初の反応を見る' })
    expect(opened.status).toBe(200)
    const { items } = (await plane.tenant.get(sharesOf())).data
    expect(items).toMatchObject([{ views: 0 }, { views: 1 }])
  })

  // contract: openShare › 429 RATE_LIMIT_EXCEEDED after `SHARE_OPENINGS_PER_MIN`, also for guesses
  // contract: Limits › A link is opened `SHARE_OPENINGS_PER_MIN` times in a minute at most
  test('is not guessed', async () => {
    const { data } = await share({ password: 'right password' })
    for (let guess = 0; guess < SHARE_OPENINGS_PER_MIN; guess += 1) {
      expect((await open(data, { password: `guess ${guess}` })).status).toBe(422)
    }
    const late = await open(data, { password: 'right password' })
    expect([late.code, Number(late.headers['retry-after']) > 0]).toEqual([
      'RATE_LIMIT_EXCEEDED',
      true,
    ])
  })

  // contract: revokeShare › 204, also a repeat; 404 NOT_FOUND for a link that is not there
  test('is closed within a second when the link is revoked', async () => {
    const { data } = await share()
    const { token } = (await open(data)).data
    const path = `/shares/${data.id}`
    const remove = async (token: string) => callAsViewer(plane.app, ['DELETE', path], { token })
    expect((await remove(await sharer({ sub: 'other' }))).status).toBe(204)
    expect((await plane.tenant.delete(path)).status).toBe(204)
    plane.now = new Date(plane.now.getTime() + 2000)
    expect((await get('/review', token)).status).toBe(401)
    expect((await open(data)).status).toBe(401)
    expect((await plane.tenant.delete(`/shares/${randomUUID()}`)).status).toBe(404)
    const list = (await plane.tenant.get(sharesOf())).data.items
    expect(list).toMatchObject([{ revoked_at: expect.stringMatching(/Z$/) }])
  })

  // contract: createShare › Ends with the viewer token that it was made with, revoked or expired
  test('is closed when the token that made the link is revoked', async () => {
    const { data } = await share({}, await sharer({ jti: 'made-it' }))
    const { token } = (await open(data)).data
    await plane.tenant.post('/viewer-tokens/revoke', { jti: 'made-it' })
    plane.now = new Date(plane.now.getTime() + 2000)
    expect((await get('/review', token)).status).toBe(401)
    expect((await open(data)).status).toBe(401)
  })

  // contract: createShare › `expires_in_seconds`; Limits › `SHARE_DEFAULT_SEC`, and never longer than the token
  test('is open as long as the link says, and never longer than the token that made it', async () => {
    const exp = Math.floor(plane.now.getTime() / 1000) + 3600
    const short = await share({}, await sharer({ exp }))
    expect(short.data.expires_at).toBe(new Date(exp * 1000).toISOString())
    const mine = await plane.tenant.post(sharesOf(), { expires_in_seconds: 60 })
    expect(mine.data).toMatchObject({
      viewer: null,
      expires_at: new Date(plane.now.getTime() + 60_000).toISOString(),
    })
    plane.now = new Date(plane.now.getTime() + 61_000)
    expect((await open(mine.data)).status).toBe(401)
    expect((await open(short.data)).status).toBe(200)
  })

  // contract: createShare › 422 VALIDATION_ERROR, `NOT_ALLOWED`, on `may` for more than the token allows, or of a clip
  test('is never shared for more than the viewer may', async () => {
    const token = await sharer({ may: ['watch', 'share'] })
    for (const may of [['comment'], ['watch', 'download']]) {
      expect((await share({ may }, token)).details).toEqual([['may', 'NOT_ALLOWED']])
    }
    const clip_id = await madeClip()
    expect((await share({ clip_id, may: ['download'] })).details).toEqual([['may', 'NOT_ALLOWED']])
    expect((await share({ may: ['share'] })).details).toEqual([['may.0', 'INVALID_ENUM']])
    expect((await share({ may: ['staff'] })).details).toEqual([['may.0', 'INVALID_ENUM']])
    expect((await share({ may: ['correct'] })).details).toEqual([['may.0', 'INVALID_ENUM']])
  })

  // contract: createShare › 401 UNAUTHORIZED for a viewer who may not `share`, and for whoever opened a link
  test('is not shared by viewers who may not, and not by those who opened a link', async () => {
    const others = await sharer({ may: ['watch', 'comment', 'clip', 'download', 'staff'] })
    expect((await share({}, others)).status).toBe(401)
    const { data } = await share()
    const { token } = (await open(data)).data
    expect((await share({}, token)).status).toBe(401)
    expect((await get(sharesOf(), token)).status).toBe(401)
    expect((await share({}, tokenIn(data))).status).toBe(401)
    expect((await get('/review', tokenIn(data))).status).toBe(401)
  })

  // contract: createShare › 404 NOT_FOUND for a clip of another recording; 409 RECORDING_NOT_AVAILABLE without a file
  test('has to be there, with the clip', async () => {
    const clip_id = await madeClip()
    const elsewhere = await addRecording(plane, roomId)
    const answer = await plane.tenant.post(sharesOf(elsewhere), { clip_id })
    expect(answer.code).toBe('NOT_FOUND')
    const expired = await addRecording(plane, roomId, { status: 'expired' })
    const refused = await plane.tenant.post(sharesOf(expired), {})
    expect(refused.code).toBe('RECORDING_NOT_AVAILABLE')
  })

  // contract: Limits › A password has `SHARE_PASSWORD_MIN` to `SHARE_PASSWORD_MAX` characters; a recording has `SHARES_MAX` links
  test('takes passwords and links within their limits', async () => {
    const details = async (password: string) => (await share({ password })).details
    expect(await details('seven77')).toEqual([['password', 'TOO_SHORT']])
    expect(await details('x'.repeat(SHARE_PASSWORD_MAX + 1))).toEqual([['password', 'TOO_LONG']])
    await plane.database.db`
      insert into review_shares (id, tenant_id, recording_id, seq, may, expires_at, created_at)
      select gen_random_uuid(), ${plane.tenant.tenantId}, ${recordingId}, 1000 + n, '{watch}',
             ${plane.now}::timestamptz + interval '1 day', ${plane.now}
        from generate_series(1, ${SHARES_MAX}) as n
    `
    expect((await share()).details).toEqual([['body', 'QUOTA_EXCEEDED']])
  })

  // contract: createShare › A repeat under its Idempotency-Key answers the first one
  test('is shared once under an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await plane.tenant.post(sharesOf(), {}, headers)
    const repeat = await plane.tenant.post(sharesOf(), {}, headers)
    expect([repeat.status, repeat.data]).toEqual([201, first.data])
  })

  test('takes its links with it', async () => {
    const { data } = await share()
    const { token } = (await open(data)).data
    await plane.tenant.delete(`/recordings/${recordingId}`)
    expect((await open(data)).status).toBe(401)
    plane.now = new Date(plane.now.getTime() + 2000)
    expect((await get('/review', token)).status).toBe(401)
  })

  test('opens with no other link, and not with a changed one', async () => {
    const [one, other] = [(await share()).data, (await share()).data]
    expect((await post(`/shares/${other.id}/open`, tokenIn(one))).status).toBe(401)
    expect((await post(`/shares/${one.id}/open`, `${tokenIn(one).slice(0, -4)}AAAA`)).status).toBe(
      401,
    )
    expect((await post(`/shares/${one.id}/open`, await sharer())).status).toBe(401)
  })
})
