import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { ensureServiceKey } from '../../platform/service-keys/ensure-service-key.ts'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addRecordedRoom, endTranscription, setClipMade } from '../../testing/recordings.ts'
import { addTranscriptOf } from '../../testing/transcripts.ts'
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
  await plane.database.db`
    insert into recording_reports (recording_id, is_complete, missing_sec, people, segments, made_at)
    values (${recordingId}, true, 0, '[]',
            jsonb_build_array(jsonb_build_object(
              'fromMs', ${plane.now.getTime()}::bigint,
              'toMs', ${plane.now.getTime() + 60_500}::bigint)), now())
  `
  await addMarker('=first reaction', false)
  await addMarker('for me alone', true)
})

async function addMarker(note: string, isPrivate: boolean): Promise<void> {
  const payload = { note, display_name: 'Mori', ...(isPrivate && { is_private: true }) }
  await plane.database.db`
    with clock as (
      update room_clocks set seq = seq + 1 where room_id = ${roomId} returning seq
    )
    insert into room_events (tenant_id, room_id, seq, event_type, payload, created_at)
    select ${plane.tenant.tenantId}, ${roomId}, seq, 'marker', ${JSON.stringify(payload)}::jsonb,
           ${plane.now}::timestamptz + interval '12.5 s'
      from clock
  `
}

const viewer = async (may: readonly string[]) =>
  acting.signViewerToken({ recording_id: recordingId, may })
const pathOf = (content: string) => `/recordings/${recordingId}/export-url?content=${content}`

async function addressFor(content: string, may?: readonly string[]) {
  if (may === undefined) return plane.tenant.get(pathOf(content))
  return callAsViewer(plane.app, ['GET', pathOf(content)], { token: await viewer(may) })
}

async function exported(content: string, may?: readonly string[]) {
  const { data } = await addressFor(content, may)
  return plane.app.inject(new URL(data.url).pathname)
}

/** The entries of an archive, by name. */
async function unzip(archive: Buffer): Promise<ReadonlyMap<string, string>> {
  const entries = new Map<string, string>()
  const zip = await fromBufferPromise(archive, { lazyEntries: true })
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)))
  }
  return entries
}

describe('everything of a recording', () => {
  // contract: getRecordingExportUrl › 200 SignedUrl: `url`, `expires_at`, for five minutes, noted in the access log
  // contract: getRecordingExportUrl › `content`: `all` is a ZIP
  test('comes as one archive', async () => {
    const started = await plane.tenant.post(`/recordings/${recordingId}/transcriptions`, {})
    await endTranscription(plane, started.data.id, 'done')
    const range = { start_sec: 1, end_sec: 2 }
    const clip = await plane.tenant.post(`/recordings/${recordingId}/clips`, range)
    await setClipMade(plane, clip.data.id)
    const wanted = { clip_ids: [clip.data.id], title: '最初の印象' }
    const reel = await plane.tenant.post(`/rooms/${roomId}/reels`, wanted)
    const answer = await addressFor('all')
    expect([answer.status, answer.data.expires_at]).toEqual([
      200,
      new Date(plane.now.getTime() + 300_000).toISOString(),
    ])
    const download = await plane.app.inject(new URL(answer.data.url).pathname)
    expect(download.headers['content-disposition']).toContain(`recording-${recordingId}-export.zip`)
    const entries = await unzip(download.rawPayload)
    expect([...entries.keys()]).toEqual([
      'manifest.json',
      'recording.mp4',
      `transcripts/ja-JP-transcription-${started.data.id}.vtt`,
      'markers.csv',
      'clips.csv',
      'reels.csv',
      'comments.csv',
      'timeline.json',
      'activity.json',
    ])
    expect(entries.get('recording.mp4')).toBe('the recording')
    expect(entries.get('reels.csv')).toContain(
      `${reel.data.id},最初の印象,${clip.data.id},,,pending,`,
    )
    expect(entries.get('markers.csv')).toContain('for me alone')
    const timeline = JSON.parse(entries.get('timeline.json') ?? '')
    expect(timeline.items).toMatchObject([{ offset_sec: 12.5 }, { offset_sec: 12.5 }])
    const log = await plane.tenant.get(`/access-log?recording_id=${recordingId}&limit=1`)
    expect(log.data.items).toMatchObject([{ expires_at: answer.data.expires_at }])
  })

  test('has each transcript in every format', async () => {
    const lines = [{ text: '表示は見やすいです。' }]
    const id = await addTranscriptOf(plane, recordingId, { lines })
    const entries = await unzip((await exported('all')).rawPayload)
    const names = [...entries.keys()].filter((name) => name.startsWith('transcripts/'))
    expect(names).toEqual(
      ['vtt', 'srt', 'txt', 'csv', 'docx'].map(
        (format) => `transcripts/ja-JP-transcription-${id}.${format}`,
      ),
    )
    expect(entries.get(names[2] ?? '')).toBe('[00:00:00] Hanako: 表示は見やすいです。\r\n')
  })

  test('has for a viewer what the viewer may read', async () => {
    const archive = (await exported('all', ['watch', 'download'])).rawPayload
    const entries = await unzip(archive)
    expect(entries.has('comments.csv')).toBe(false)
    expect(entries.has('clips.csv')).toBe(false)
    expect(entries.has('reels.csv')).toBe(false)
    expect(entries.get('markers.csv')).not.toContain('for me alone')
    expect(entries.get('timeline.json')).not.toContain('for me alone')
  })
})

describe('a table of a recording', () => {
  test('of its comments has answers and places', async () => {
    const token = await viewer(['comment'])
    const path = `/recordings/${recordingId}/comments`
    const body = { text: 'Why, "so"?', offset_sec: 754.25 / 20, end_sec: 40 }
    const { data } = await callAsViewer(plane.app, ['POST', path], { token, body })
    await callAsViewer(plane.app, ['POST', path], {
      token,
      body: { text: '答え', reply_to: data.id },
    })
    const table = (await exported('comments')).body.split('\r\n')
    expect(table[1]).toContain(`${data.id},,0:00:37.7,37.7125,40,Sato,"Why, ""so""?",false`)
    expect(table[2]).toContain(`,${data.id},,,,Sato,答え,false`)
  })

  test('of its markers takes no note for a formula', async () => {
    const { headers, body } = await exported('markers', ['watch', 'download'])
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(body).toContain("0:00:12.5,12.5,,'=first reaction")
  })

  test('of its clips has titles and tags', async () => {
    const clip = { start_sec: 1, end_sec: 2.5, title: 'First look', tags: ['label', '表示'] }
    await plane.tenant.post(`/recordings/${recordingId}/clips`, clip)
    expect((await exported('clips')).body).toContain('0:00:01.0,1,2.5,First look,label; 表示,')
  })

  // contract: getRecordingExportUrl › 401 UNAUTHORIZED for a viewer who may not `download`, nor comment or clip for these tables
  test.each([
    ['all', ['watch', 'comment', 'clip']],
    ['comments', ['watch', 'download', 'clip']],
    ['clips', ['watch', 'download', 'comment']],
  ])('%s is closed to a viewer who may %s', async (content, may) => {
    expect((await addressFor(content, may)).status).toBe(401)
  })
})

describe('an address of an export', () => {
  // contract: getRecordingExportUrl › 409 RECORDING_NOT_AVAILABLE without a file
  test('is refused without a file, and ends with it', async () => {
    const { data } = await addressFor('all')
    await plane.database.db`update recordings set status = 'expired' where id = ${recordingId}`
    expect((await addressFor('all')).code).toBe('RECORDING_NOT_AVAILABLE')
    const late = await plane.app.inject(new URL(data.url).pathname)
    expect(late.json().error.code).toBe('RECORDING_NOT_AVAILABLE')
  })

  test('is not found after five minutes, and when it was changed', async () => {
    const { data } = await addressFor('markers')
    const { pathname } = new URL(data.url)
    expect((await plane.app.inject(`${pathname.slice(0, -4)}AAAA`)).statusCode).toBe(404)
    expect((await plane.app.inject(`/exports/${randomUUID()}`)).statusCode).toBe(404)
    plane.now = new Date(plane.now.getTime() + 301_000)
    expect((await plane.app.inject(pathname)).statusCode).toBe(404)
  })
})
