import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureServiceKey } from '../../platform/service-keys/ensure-service-key.ts'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addRecordedRoom, addRecording } from '../../testing/recordings.ts'
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
  await plane.database.db`delete from transcriptions`
  ;({ roomId, recordingId } = await addRecordedRoom(plane))
})

const transcribe = async (...texts: string[]) =>
  addTranscriptOf(plane, recordingId, { lines: texts.map((text) => ({ text })) })

const pathOf = (q: string, more = '') => `/transcript-search?q=${encodeURIComponent(q)}${more}`

const textsOf = (data: { items: { line: { text: string } }[] }) =>
  data.items.map(({ line }) => line.text)

const find = async (q: string, more?: string) =>
  textsOf((await plane.tenant.get(pathOf(q, more))).data)

describe('GET /transcript-search', () => {
  // contract: searchTranscripts › 200 list of TranscriptHit: `recording_id`, `room_id`, `transcription_id`, `language`, `kind`,
  //   `line` with `start_sec`, `end_sec`, `text`, `participant_id`, `speaker`, `role`
  test('gives the lines with their places', async () => {
    const transcriptionId = await transcribe('はい。', '表示は見やすいと思います。')
    const { status, data } = await plane.tenant.get(pathOf('見やすい'))
    expect([status, data.items]).toEqual([
      200,
      [
        {
          recording_id: recordingId,
          room_id: roomId,
          transcription_id: transcriptionId,
          language: 'ja-JP',
          kind: 'transcription',
          line: {
            start_sec: 3,
            end_sec: 5.5,
            text: '表示は見やすいと思います。',
            participant_id: null,
            speaker: 'Hanako',
            role: 'panelist',
          },
        },
      ],
    ])
  })

  // contract: searchTranscripts › `q`: without regard to case and width, of any length
  test.each([
    ['価', ['ＡＢＣの価格は ５％ OFF です']],
    ['価格', ['ＡＢＣの価格は ５％ OFF です']],
    ['の価格は', ['ＡＢＣの価格は ５％ OFF です']],
    ['abc', ['ＡＢＣの価格は ５％ OFF です']],
    ['ａＢｃの', ['ＡＢＣの価格は ５％ OFF です']],
    ['5%', ['ＡＢＣの価格は ５％ OFF です']],
    ['off です', ['ＡＢＣの価格は ５％ OFF です']],
    ['  off  ', ['ＡＢＣの価格は ５％ OFF です']],
    ['ｶﾀｶﾅ', ['カタカナ']],
    ['Đà Lạt', ['tôi ở đà lạt']],
    ['c:\\temp', ['in C:\\temp there']],
    ['snake_case', ['snake_case']],
    ['snake%case', []],
    ['___', []],
    ['%%%', []],
    ['\\\\\\', []],
    ['%', ['ＡＢＣの価格は ５％ OFF です']],
  ])('%j finds %j', async (q, found) => {
    await transcribe(
      'ＡＢＣの価格は ５％ OFF です',
      'カタカナ',
      'tôi ở đà lạt',
      'in C:\\temp there',
      'snake_case',
      'snakeXcase',
    )
    expect([await find(q), await find(q, `&recording_id=${recordingId}`)]).toEqual([found, found])
  })

  // contract: searchTranscripts › `room_id`, `recording_id`
  test('keeps to a room or a recording', async () => {
    await transcribe('この箱')
    const sibling = await addRecording(plane, roomId)
    await addTranscriptOf(plane, sibling, { lines: [{ text: 'あの箱' }] })
    const { roomId: another, recordingId: elsewhere } = await addRecordedRoom(plane)
    await addTranscriptOf(plane, elsewhere, { lines: [{ text: 'その箱' }] })
    expect(await find('箱')).toEqual(['この箱', 'あの箱', 'その箱'])
    expect(await find('箱', `&room_id=${roomId}`)).toEqual(['この箱', 'あの箱'])
    expect(await find('箱', `&recording_id=${sibling}`)).toEqual(['あの箱'])
    expect(await find('箱', `&recording_id=${sibling}&room_id=${another}`)).toEqual([])
  })

  // contract: searchTranscripts › Transcript by transcript, the oldest first, each in order of time; `limit` and `cursor`
  test('goes on with a cursor, which is good for the same search alone', async () => {
    await transcribe('箱の一', '箱の二', '箱の三')
    await addTranscriptOf(plane, recordingId, {
      lines: [{ text: '箱の四' }],
      order: { language: 'en-US' },
    })
    const first = await plane.tenant.get(pathOf('箱の', '&limit=2'))
    expect([textsOf(first.data), first.data.has_more]).toEqual([['箱の一', '箱の二'], true])
    const more = `&limit=2&cursor=${first.data.next_cursor}`
    const second = await plane.tenant.get(pathOf('箱の', more))
    expect([textsOf(second.data), second.data.has_more]).toEqual([['箱の三', '箱の四'], false])
    expect((await plane.tenant.get(pathOf('箱', more))).code).toBe('INVALID_REQUEST')
  })

  // contract: searchTranscripts › 400 INVALID_REQUEST: `q` (1 to 200 characters, not only spaces), `room_id`, `recording_id`,
  //   `limit`, `cursor`, unknown parameters
  // contract: Limits › `TRANSCRIPT_SEARCH_MAX`: a search has at most 200 characters
  test.each([
    '?limit=1',
    '?q=',
    '?q=%20%E3%80%80',
    '?q=a%00b',
    `?q=${'x'.repeat(201)}`,
    '?q=a&room_id=x',
    '?q=a&recording_id=x',
    '?q=a&limit=0',
    '?q=a&cursor=x',
    '?q=a&language=ja-JP',
  ])('refuses %s', async (query) => {
    const refused = await plane.tenant.get(`/transcript-search${query}`)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  // contract: searchTranscripts, Tenant isolation › Another tenant's transcripts are not searched
  test('finds nothing of another tenant', async () => {
    await transcribe('同じ言葉')
    const { data } = await plane.other.get(pathOf('同じ言葉'))
    const asked = await plane.other.get(pathOf('同じ言葉', `&recording_id=${recordingId}`))
    expect([data.items, asked.data.items]).toEqual([[], []])
  })

  // contract: searchTranscripts, getTranscriptionExportUrl › The newest revision, and no older one
  test('finds what was corrected, and exports have it', async () => {
    const id = await transcribe('橋で食べる')
    const line = { start_sec: 0, end_sec: 2.5, text: '箸で食べる', speaker: 'Hanako' }
    const { status } = await plane.tenant.send({
      method: 'PUT',
      url: `/api/v1/transcriptions/${id}/revisions`,
      payload: JSON.stringify({ lines: [line] }),
      headers: { 'content-type': 'application/json', 'if-match': '"0"' },
    })
    expect([status, await find('橋'), await find('箸で食')]).toEqual([200, [], ['箸で食べる']])
    const { data } = await plane.tenant.get(`/transcriptions/${id}/export-url?format=txt`)
    const file = await plane.app.inject(new URL(data.url).pathname)
    expect(file.body).toBe('[00:00:00] Hanako: 箸で食べる\r\n')
  })

  test('finds nothing of a deleted recording', async () => {
    await transcribe('消えた言葉')
    await plane.tenant.delete(`/recordings/${recordingId}`)
    expect(await find('消えた言葉')).toEqual([])
  })
})

const ask = async (claims: Record<string, unknown>, q: string, more?: string) => {
  const token = await acting.signViewerToken(claims)
  return callAsViewer(plane.app, ['GET', pathOf(q, more)], { token })
}

describe('a viewer', () => {
  // contract: searchTranscripts › A viewer who may `watch` finds what the token opens: a recording or a room
  test('finds what the token opens', async () => {
    await transcribe('この箱')
    const sibling = await addRecording(plane, roomId)
    await addTranscriptOf(plane, sibling, { lines: [{ text: 'あの箱' }] })
    const { roomId: another, recordingId: elsewhere } = await addRecordedRoom(plane)
    await addTranscriptOf(plane, elsewhere, { lines: [{ text: 'その箱' }] })
    const may = ['watch']
    const found = async (claims: Record<string, unknown>, more?: string) =>
      textsOf((await ask({ ...claims, may }, '箱', more)).data)
    expect(await found({ recording_id: recordingId })).toEqual(['この箱'])
    expect(await found({ recording_id: recordingId }, `&recording_id=${sibling}`)).toEqual([])
    expect(await found({ room_id: roomId, recording_id: undefined })).toEqual(['この箱', 'あの箱'])
    expect(
      await found({ room_id: roomId, recording_id: undefined }, `&room_id=${another}`),
    ).toEqual([])
    expect(
      await found({ room_id: roomId, recording_id: undefined }, `&recording_id=${elsewhere}`),
    ).toEqual([])
  })

  test('who may not watch is refused', async () => {
    expect((await ask({ recording_id: recordingId, may: ['comment'] }, '箱')).status).toBe(401)
  })
})
