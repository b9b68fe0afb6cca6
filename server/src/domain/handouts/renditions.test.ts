import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { measureVideo } from '../../platform/media-files/measure-video.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { makeFile } from '../../testing/media-corpus.ts'
import { file, SAMPLES, sendForm } from '../../testing/multipart.ts'
import { deleteObjects } from '../../testing/recordings.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { refuseFullStorage } from '../booking/quotas.ts'
import { listPresentations } from './find-presentation.ts'
import { makeRenditionJob } from './make-rendition.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const keyOf = (url: string) => new URL(url).pathname.slice(1)
const bodyOf = (url: string) => plane.storage.objects.get(keyOf(url))?.body
const nameOf = (url: string) => new URL(url).searchParams.get('fileName')

async function register(kind: 'image' | 'video', fileName: string, body: Buffer) {
  const { id: roomId, session } = await plane.book({ startsInMin: 1 })
  const path = `/sessions/${session.id}/handouts`
  const { status, data } = await sendForm(plane.tenant, `POST ${path}`, {
    parts: [
      ['file', file(fileName, body)],
      ['content_type', kind],
    ],
  })
  expect(status).toBe(201)
  const moderator = await live.enter(roomId, 'moderator')
  return { roomId, handout: data, moderator }
}

const film = () => makeFile('video', 'HEVC of a phone')

const makeRenditions = () => runJobs(plane.database.db, makeRenditionJob(plane.deps))

/** The address that a page of the room gets. */
async function shownUrl(moderator: Guest): Promise<string> {
  return (await moderator.get('/handouts')).data.items[0].file_url
}

async function removeAll(id: string): Promise<void> {
  expect((await plane.tenant.delete(`/handouts/${id}`)).status).toBe(204)
  await deleteObjects(plane)
}

async function measured(url: string) {
  return measureVideo(await plane.storage.locate(keyOf(url), { forSec: 60 }))
}

describe('a TIFF', () => {
  // contract: Fields of a Handout › `file_url`: for the tenant the file itself, in the room what browsers can show
  test('stays a TIFF for its tenant, and is a PNG in the room and in the recording', async () => {
    const tiff = await makeFile('image', 'TIFF of CMYK')
    const { roomId, handout, moderator } = await register('image', 'scan.tiff', tiff)
    expect(bodyOf(handout.file_url)).toEqual(tiff)
    expect(handout.file_name).toBe('scan.tiff')

    const url = await shownUrl(moderator)
    expect(await sharp(bodyOf(url)).metadata()).toMatchObject({
      format: 'png',
      space: 'srgb',
      width: 24,
      height: 16,
    })
    expect([nameOf(url), new URL(url).searchParams.get('mime')]).toEqual(['scan.png', 'image/png'])

    const { data } = await moderator.post(`/handouts/${handout.id}/show`)
    expect(keyOf(data.file_url)).toBe(keyOf(url))
    const [presentation] = await listPresentations(plane.database.db, roomId)
    expect(presentation?.storageKey).toBe(keyOf(url))
  })

  test('leaves nothing when it is deleted', async () => {
    const { handout, moderator } = await register('image', 'scan.tiff', SAMPLES.tiff)
    const keys = [keyOf(handout.file_url), keyOf(await shownUrl(moderator))]
    await removeAll(handout.id)
    expect(keys.filter((key) => plane.storage.objects.has(key))).toEqual([])
  })

  test('that is replaced leaves nothing either', async () => {
    const { handout, moderator } = await register('image', 'scan.tiff', SAMPLES.tiff)
    const keys = [keyOf(handout.file_url), keyOf(await shownUrl(moderator))]
    const parts = [['file', file('plan.png', SAMPLES.png)]] as const
    await sendForm(plane.tenant, `PATCH /handouts/${handout.id}`, { parts })
    await deleteObjects(plane)
    expect(keys.filter((key) => plane.storage.objects.has(key))).toEqual([])
    expect(bodyOf(await shownUrl(moderator))).toEqual(SAMPLES.png)
  })
})

describe('a video that not every browser plays', () => {
  test('is shown as H.264 as soon as that is made, also where it is presented', async () => {
    const { roomId, handout, moderator } = await register('video', 'phone.mov', await film())
    expect(keyOf(await shownUrl(moderator))).toBe(keyOf(handout.file_url))
    await moderator.post(`/handouts/${handout.id}/show`)
    const reader = await moderator.listen()
    await reader.wait('snapshot')

    await makeRenditions()
    const { presentation } = await reader.wait('presentation')
    const url = await shownUrl(moderator)
    expect(keyOf(presentation?.file_url ?? '')).toBe(keyOf(url))
    const { video, audio } = await measured(url)
    expect([video?.codec, audio?.codec]).toEqual([
      expect.stringMatching(/^avc1/),
      expect.stringMatching(/^mp4a/),
    ])
    expect(nameOf(url)).toBe('phone.mp4')

    const { data } = await plane.tenant.get(`/sessions/${handout.session_id}/handouts`)
    expect(keyOf(data.items[0].file_url)).toBe(keyOf(handout.file_url))
    await moderator.post(`/handouts/${handout.id}/hide`)
    await moderator.post(`/handouts/${handout.id}/show`)
    const shown = await listPresentations(plane.database.db, roomId)
    expect(shown.map(({ storageKey }) => storageKey)).toEqual([keyOf(handout.file_url), keyOf(url)])
  })

  test('leaves nothing when it is deleted', async () => {
    const { handout, moderator } = await register('video', 'phone.mov', await film())
    await makeRenditions()
    const keys = [keyOf(handout.file_url), keyOf(await shownUrl(moderator))]
    expect(new Set(keys).size).toBe(2)
    await removeAll(handout.id)
    expect(keys.filter((key) => plane.storage.objects.has(key))).toEqual([])
  })

  test('that is replaced meanwhile keeps what replaced it', async () => {
    const { handout, moderator } = await register('video', 'phone.mov', await film())
    const before = plane.storage.objects.size
    const locate = plane.storage.locate.bind(plane.storage)
    plane.storage.locate = async (...args) => {
      plane.storage.locate = locate
      const location = await locate(...args)
      const parts = [['file', file('film.mp4', SAMPLES.mp4)]] as const
      expect(
        (await sendForm(plane.tenant, `PATCH /handouts/${handout.id}`, { parts })).status,
      ).toBe(200)
      return location
    }
    await makeRenditions()
    await deleteObjects(plane)
    expect(bodyOf(await shownUrl(moderator))).toEqual(SAMPLES.mp4)
    expect(plane.storage.objects.size).toBe(before)
  })

  test('is shown itself if nothing can be made of it', async () => {
    const { handout, moderator } = await register('video', 'phone.mov', await film())
    plane.storage.objects.get(keyOf(handout.file_url))!.body = Buffer.from('lost')
    await makeRenditions()
    expect(keyOf(await shownUrl(moderator))).toBe(keyOf(handout.file_url))
  })
})

test('a video that every browser plays is shown itself', async () => {
  const { handout, moderator } = await register('video', 'film.mp4', SAMPLES.mp4)
  await makeRenditions()
  expect(keyOf(await shownUrl(moderator))).toBe(keyOf(handout.file_url))
})

test('a rendition counts towards the storage of its tenant', async () => {
  const { moderator } = await register('image', 'scan.tiff', SAMPLES.tiff)
  const shownBytes = bodyOf(await shownUrl(moderator))?.length ?? 0
  const [stored] = await plane.database.db<{ own: number; withRenditions: number }[]>`
    select sum(size_bytes)::float8 as own, sum(size_bytes + rendition_bytes)::float8 as "withRenditions"
      from handouts where tenant_id = ${plane.tenant.tenantId}
  `
  const { own, withRenditions: storedBytesMax } = stored!
  expect(own).toBeLessThanOrEqual(storedBytesMax - shownBytes)
  const { tenantId } = plane.tenant
  const refusedAt = (bytes: number) =>
    refuseFullStorage(plane.database.db, {
      tenantId,
      tenantLimits: { ...plane.deps.config.tenantLimits, storedBytesMax: bytes },
    })
  await expect(refusedAt(storedBytesMax)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  await expect(refusedAt(storedBytesMax + 1)).resolves.toBeUndefined()
})
