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

const MAY = ['watch', 'clip', 'share']
const sign = async (claims: object = {}) =>
  acting.signViewerToken({ room_id: roomId, may: MAY, watermark: true, ...claims })
const get = async (path: string, token: string) => callAsViewer(plane.app, ['GET', path], { token })
const post = async (path: string, token: string, body: unknown = {}) =>
  callAsViewer(plane.app, ['POST', path], { token, body })

const markOf = async (id: string) => {
  const [row] = await plane.database.db<{ watermark: string | null }[]>`
    select watermark from clips where id = ${id}
  `
  return row?.watermark
}

async function clipBy(token?: string): Promise<string> {
  const path = `/recordings/${recordingId}/clips`
  const range = { start_sec: 1, end_sec: 2 }
  const answer = await (token === undefined
    ? plane.tenant.post(path, range)
    : post(path, token, range))
  await setClipMade(plane, answer.data.id)
  return answer.data.id
}

async function openedBy(url: string): Promise<string> {
  const [id, token] = [/\/s\/([^#]+)/.exec(url)?.[1], /#token=([^&]+)/.exec(url)?.[1]]
  return (await post(`/shares/${id}/open`, token ?? '')).data.token
}

describe('a viewer with a watermark', () => {
  // contract: getReview › `watermark` is the name of the viewer, for a token with `watermark`
  test('has their name over every video, and others have none', async () => {
    const marks = []
    for (const watermark of [true, false, undefined]) {
      marks.push((await get('/review', await sign({ watermark }))).data.watermark)
    }
    expect(marks).toEqual(['Sato', null, null])
  })

  // contract: getReview › 401 UNAUTHORIZED for a token with `watermark` and `download`
  test('may not download, and a token that says so is refused', async () => {
    const token = await sign({ may: ['watch', 'download'] })
    expect((await get('/review', token)).status).toBe(401)
    expect((await get('/review', await sign({ watermark: 'yes' }))).status).toBe(401)
    const path = `/recordings/${recordingId}/download-url`
    expect((await get(path, await sign())).status).toBe(401)
  })

  // contract: createReviewLink › `watermark`; 422 VALIDATION_ERROR, `NOT_ALLOWED`, on `may` for `download` beside it
  test('gets such a link from the tenant', async () => {
    const whose = { recording_id: recordingId, reference: 'r', name: '佐藤', watermark: true }
    const link = await plane.tenant.post('/review-links', { ...whose, may: ['watch'] })
    expect((await get('/review', link.data.token)).data.watermark).toBe('佐藤')
    const refused = await plane.tenant.post('/review-links', { ...whose, may: ['download'] })
    expect([refused.status, refused.details]).toEqual([422, [['may', 'NOT_ALLOWED']]])
  })

  test('has it in the clips and reels that they make', async () => {
    const token = await sign()
    const clip = await clipBy(token)
    const reel = (await post(`/rooms/${roomId}/reels`, token, { clip_ids: [clip] })).data.id
    expect([await markOf(clip), await markOf(reel)]).toEqual(['Sato', 'Sato'])
    expect(await markOf(await clipBy())).toBe(null)
  })

  // contract: getClipDownloadUrl › 409 CLIP_NOT_AVAILABLE to a viewer with a watermark, unless the clip has it
  test('downloads the clips that have it, and plays all', async () => {
    const token = await sign()
    const [mine, other] = [await clipBy(token), await clipBy()]
    expect((await get(`/clips/${mine}/download-url`, token)).status).toBe(200)
    expect((await get(`/clips/${other}/download-url`, token)).code).toBe('CLIP_NOT_AVAILABLE')
    expect((await get(`/clips/${other}/playback`, token)).status).toBe(200)
  })

  // contract: openShare › What a viewer with a watermark shares has their name
  test('has it in the links that they make', async () => {
    const { data } = await post(`/recordings/${recordingId}/shares`, await sign())
    const opened = await openedBy(data.url)
    expect((await get('/review', opened)).data).toMatchObject({
      viewer: { name: 'Guest' },
      watermark: 'Sato',
    })
  })
})

describe('a link to a reel', () => {
  // contract: createShare › `reel_id`: opens this reel, and nothing else
  // contract: getReview › `reel` is that of a link that opens only this reel
  // contract: openShare › `reel_id` of a link to a reel
  // contract: listShares › `reel_id` of a link to a reel
  test('plays it and opens nothing else, also where it shows several recordings', async () => {
    const sibling = await addRecording(plane, roomId)
    const clips = [await clipBy()]
    ;[recordingId] = [sibling]
    clips.push(await clipBy())
    const reel = (await plane.tenant.post(`/rooms/${roomId}/reels`, { clip_ids: clips })).data.id
    await setClipMade(plane, reel)
    const token = await sign()
    const shared = await post(`/recordings/${sibling}/shares`, token, { reel_id: reel })
    expect(shared.data).toMatchObject({ clip_id: null, reel_id: reel, recording_id: sibling })
    const list = await get(`/recordings/${sibling}/shares`, token)
    expect(list.data.items).toMatchObject([{ reel_id: reel }])
    const opened = await openedBy(shared.data.url)
    const review = (await get('/review', opened)).data
    expect([review.recordings, review.clip, review.reel.id]).toEqual([[], null, reel])
    expect((await get(`/reels/${reel}/playback`, opened)).status).toBe(200)
    for (const path of [`/clips/${clips[0]}/playback`, `/recordings/${sibling}/playback`]) {
      expect([path, (await get(path, opened)).code]).toEqual([path, 'NOT_FOUND'])
    }
    const both = { clip_id: clips[1], reel_id: reel }
    const refused = await post(`/recordings/${sibling}/shares`, token, both)
    expect(refused.details).toEqual([['reel_id', 'NOT_ALLOWED']])
    const narrow = await sign({ room_id: undefined, recording_id: sibling })
    const wide = await post(`/recordings/${sibling}/shares`, narrow, { reel_id: reel })
    expect(wide.status).toBe(404)
    await plane.tenant.delete(`/reels/${reel}`)
    expect((await get('/review', opened)).status).not.toBe(200)
  })
})
