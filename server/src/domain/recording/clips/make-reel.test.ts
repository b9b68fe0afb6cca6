import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { startFolder } from '../../../platform/storage/testing/settings.ts'
import { deleteObjects, endTranscription, webhooksOf } from '../../../testing/recordings.ts'
import { type TrimOrder, useTrims } from '../../../testing/trims.ts'
import { frameNumbersOf } from '../../../testing/videos.ts'
import { waitFor } from '../../../testing/wait-for.ts'
import { linesInRows } from './cut-reel.ts'

const run = promisify(execFile)
const VTT = `WEBVTT

00:00:01.000 --> 00:00:02.000
<v.panelist 花子>before &amp; outside</v>

00:00:11.000 --> 00:00:12.500
<v.panelist 花子>香りが &lt;とても&gt;</v>
よい

00:00:12.450 --> 00:00:14.000
<v.moderator Sato>only its beginning is inside</v>

00:00:30.000 --> 00:00:33.000
the second part
`

const trims = useTrims(startFolder)
const { plane } = trims

/** Orders a reel of these ranges of a new recording of a counted video. */
async function orderReel(
  ranges: readonly (readonly [startSec: number, endSec: number])[],
  body: object = {},
): Promise<TrimOrder> {
  const { recordingId, sourceKey } = await trims.order({ use: 'clip', start: 0, end: 1 })
  const room = await plane.tenant.get(`/recordings/${recordingId}`)
  const clip_ids = []
  for (const [start_sec, end_sec] of ranges) {
    const range = { start_sec, end_sec }
    const { data } = await plane.tenant.post(`/recordings/${recordingId}/clips`, range)
    clip_ids.push(data.id)
  }
  await plane.database.db`
    update clips set status = 'available', storage_key = tenant_id || '/clips/' || id || '-1.mp4', size_bytes = 1, duration_sec = 1
     where recording_id = ${recordingId}
  `
  const spoken = (
    await plane.tenant.post(`/recordings/${recordingId}/transcriptions`, { language: 'ja-JP' })
  ).data
  await endTranscription(plane, spoken.id, 'done')
  const resultKey = `${plane.tenant.tenantId}/transcripts/${randomUUID()}.vtt`
  await trims.storage().put(resultKey, Readable.from([Buffer.from(VTT)]), { mime: 'text/vtt' })
  await plane.database.db`
    update transcriptions set result_key = ${resultKey} where id = ${spoken.id}
  `
  const path = `/rooms/${room.data.room_id}/reels`
  const { data } = await plane.tenant.post(path, { clip_ids, ...body })
  return { id: data.id, use: 'reel', recordingId, sourceKey, address: `/reels/${data.id}` }
}

describe('a reel', () => {
  // contract: createReel › The clips in their order; captions of their ranges; `reel.status_changed` once
  // contract: Webhook types › An extension: reel.status_changed: `reel_id`, `room_id`, `session_external_ref`, `status` and
  //   `failure_reason`
  test('has the ranges of its clips in their order, and is reported once', async () => {
    const reel = await orderReel([
      [30, 32],
      [10, 12.6],
    ])
    await trims.run(reel)
    const made = await trims.read(reel.address)
    expect(made).toMatchObject({ status: 'available', progress_percent: null })
    expect(Math.abs(made.duration_sec - 4.6)).toBeLessThanOrEqual(0.1)
    const shown = await frameNumbersOf(await trims.download(reel.address))
    expect([shown[0], shown[29], shown[30], shown.at(-1)]).toEqual([450, 479, 150, 188])
    await trims.run(reel)
    expect(await webhooksOf(plane, `reel:${reel.id}`)).toMatchObject([
      {
        type: 'reel.status_changed',
        data: {
          reel_id: reel.id,
          room_id: made.room_id,
          session_external_ref: { external_type: 'Slot', external_id: expect.any(String) },
          status: 'available',
          failure_reason: null,
        },
      },
    ])
    expect(await trims.leftInWorkDir()).toEqual([])
  })

  test('has the lines of the ranges in its track, at their time in the file', async () => {
    const body = { captions: 'track', title_card: '最初の印象' }
    const reel = await orderReel(
      [
        [30, 32],
        [10, 12.6],
      ],
      body,
    )
    await trims.run(reel)
    const file = await trims.download(reel.address)
    const { stdout } = await run('ffmpeg', `-v error -i ${file} -map 0:s -f webvtt -`.split(' '))
    expect(stdout.trim()).toBe(
      [
        'WEBVTT',
        '00:03.000 --> 00:05.000\nthe second part',
        '00:06.000 --> 00:07.500\n香りが <とても>\nよい',
      ].join('\n\n'),
    )
  })

  // contract: getReel › `progress_percent` while it is made
  test('shows how much of it is made', async () => {
    const reel = await orderReel([[0, 40]], { captions: 'burnt', title_card: 'Card' })
    const running = trims.run(reel)
    const percents: number[] = []
    await waitFor(async () => {
      const { progress_percent: percent } = await trims.read(reel.address)
      if (percent !== null) percents.push(percent)
      return percent !== null && percent > 0
    })
    expect(percents.at(-1)).toBeLessThanOrEqual(100)
    await running
    expect(await trims.read(reel.address)).toMatchObject({
      status: 'available',
      progress_percent: null,
    })
  })

  test('that a stopped worker began is made by the next one, and leaves one file', async () => {
    const reel = await orderReel([[0, 40]])
    const aborter = new AbortController()
    const first = trims.run(reel, { signal: aborter.signal })
    await waitFor(async () => (await trims.leftInWorkDir()).length > 0)
    aborter.abort(new Error('the lease is lost'))
    await expect(first).rejects.toThrow('the lease is lost')
    expect((await trims.read(reel.address)).status).toBe('pending')
    await trims.run(reel)
    expect((await trims.read(reel.address)).status).toBe('available')
    await deleteObjects(plane)
    const keys = (await trims.clipKeys()).filter((key) => key.includes(reel.id))
    expect(keys).toEqual([expect.stringMatching(/-2\.mp4$/)])
  })

  // contract: deleteReel › One that is being made is cancelled, and leaves nothing
  test.each([
    ['it', ({ address }: TrimOrder) => address],
    ['a recording that it shows', ({ recordingId }: TrimOrder) => `/recordings/${recordingId}`],
  ])('leaves nothing when %s is deleted while it is made', async (_what, pathOf) => {
    const reel = await orderReel([[0, 40]])
    const storage = {
      ...trims.storage(),
      async locate(key: string, options: { forSec: number }) {
        await plane.tenant.delete(pathOf(reel))
        return trims.storage().locate(key, options)
      },
    }
    expect(await trims.run(reel, { changes: { storage } })).toEqual({ outcome: 'done' })
    await deleteObjects(plane)
    expect((await trims.clipKeys()).filter((key) => key.includes(reel.id))).toEqual([])
    expect(await webhooksOf(plane, `reel:${reel.id}`)).toEqual([])
  })

  // contract: getReel › `failure_reason` of a failed one
  test('fails when the file of its recording no longer exists', async () => {
    const reel = await orderReel([[0, 1]])
    await trims.storage().delete([reel.sourceKey])
    await trims.run(reel)
    expect(await trims.read(reel.address)).toMatchObject({
      status: 'failed',
      failure_reason: 'source_missing',
    })
    expect(await webhooksOf(plane, `reel:${reel.id}`)).toMatchObject([
      { data: { status: 'failed', failure_reason: 'source_missing' } },
    ])
  })
})

const caption = (startSec: number, endSec: number, ...lines: string[]) => {
  return { startSec, endSec, lines }
}

describe('the lines of people who speak at the same time', () => {
  test('stand above each other, and nobody else is moved', () => {
    const captions = [caption(0, 3, 'a', 'b'), caption(2, 4, 'c'), caption(4, 5, 'd')]
    const rows = linesInRows(captions).map(({ text, row }) => [text, row])
    expect(rows).toEqual([
      ['a', 1],
      ['b', 0],
      ['c', 2],
      ['d', 0],
    ])
  })
})
