import { expect, test } from 'vitest'
import { useSandbox } from '../../../testing/sandbox.ts'
import { ensureSampleInterview } from './make-sample-interview.ts'
import { readFacts } from './sample-files.ts'

const plane = useSandbox()
/** Cues of each transcript. */
const CUES = 39

interface Item {
  type: string
  offset_sec: number
  payload: Record<string, string> | null
}

const trigger = async () =>
  (await plane.sandbox.post('/sandbox/triggers', { type: 'sample_interview' })).data.room_id

async function recordingIn(roomId: string, client = plane.sandbox) {
  const { data } = await client.get(`/rooms/${roomId}/recordings`)
  return data.items[0]
}

// contract: triggerWebhook › `sample_interview`
test('is there at once, with a true timeline, and a repeat gives the same one', async () => {
  const roomId = await trigger()
  const recording = await recordingIn(roomId)
  const { durationSec, segments: planned } = await readFacts()
  expect(recording).toMatchObject({ status: 'available', duration_sec: durationSec })
  const { data } = await plane.sandbox.get(`/recordings/${recording.id}/timeline?limit=100`)
  const [first, second] = data.segments
  expect(data.segments).toHaveLength(2)
  expect(Date.parse(second.started_at) - Date.parse(first.ended_at)).toBe(45_000)
  expect(second.offset_sec).toBeCloseTo(planned[0]!.toSec - planned[0]!.fromSec, 3)
  const items = data.items as Item[]
  expect(new Set(items.map(({ type }) => type))).toEqual(
    new Set([
      'recording.started',
      'recording.paused',
      'recording.resumed',
      'recording.stopped',
      'participant.entered',
      'chat.message',
      'marker',
      'handout.show',
      'handout.hide',
      'question.added',
      'question.changed',
      'hand.raised',
      'hand.lowered',
    ]),
  )
  expect(items.map(({ offset_sec: sec }) => sec)).toEqual(
    items.map(({ offset_sec: sec }) => sec).toSorted((a, b) => a - b),
  )
  for (const { payload, offset_sec: sec } of items.filter(({ type }) => type === 'marker')) {
    expect(sec).toBeCloseTo(Number(payload?.['offset_sec']), 2)
  }
  const chats = items.flatMap(({ payload }) => payload?.['visibility'] ?? [])
  expect(new Set(chats)).toEqual(new Set(['public', 'private', 'observer_only']))
  expect(await trigger()).toBe(roomId)
})

test('has what people make of it, each with its file, and waits for no worker', async () => {
  const roomId = await trigger()
  const { id } = await recordingIn(roomId)
  const path = `/recordings/${id}`
  const transcripts = (await plane.sandbox.get(`${path}/transcriptions`)).data.items
  expect(transcripts.map(({ status, kind }: Record<string, string>) => [kind, status])).toEqual([
    ['transcription', 'done'],
    ['translation', 'done'],
  ])
  for (const { id: transcriptionId } of transcripts) {
    const words = (await plane.sandbox.get(`/transcriptions/${transcriptionId}/words`)).data
    const lines = await plane.database.db<{ voice: string }[]>`
      select concat_ws(' ', l.role, p.display_name, l.speaker) as voice
        from transcript_lines l
        join participants p on p.id = l.participant_id
       where l.transcription_id = ${transcriptionId}
    `
    expect([words.revision, words.words.length, lines.length]).toEqual([0, CUES, CUES])
    expect(new Set(lines.map(({ voice }) => voice))).toEqual(
      new Set(['moderator 森 一郎 森 一郎', 'panelist 佐藤 花子 佐藤 花子']),
    )
  }
  const clips = (await plane.sandbox.get(`${path}/clips`)).data.items
  expect(clips).toMatchObject([{ status: 'available' }, { status: 'available' }])
  const comments = (await plane.sandbox.get(`${path}/comments`)).data.items
  expect(comments.map((each: { reply_to: string | null }) => each.reply_to)).toEqual([
    null,
    comments[0].id,
    null,
  ])
  const { people } = (await plane.sandbox.get(`${path}/activity`)).data
  expect(people.map((each: { role: string }) => each.role)).toEqual(['moderator', 'panelist'])
  const completeness = (await plane.sandbox.get(`${path}/completeness`)).data
  expect(completeness).toMatchObject({ is_complete: true, people: [{ gaps: [] }, { gaps: [] }] })
  const room = (await plane.sandbox.get(`/rooms/${roomId}`)).data
  expect(room.closed_at).not.toBeNull()
  const entries = (await plane.sandbox.get(`/rooms/${roomId}/entry-histories`)).data.items
  expect(entries.map((each: { left_at: string | null }) => each.left_at)).not.toContain(null)
})

test('is deleted like any recording, and can be made again', async () => {
  const roomId = await trigger()
  const { id } = await recordingIn(roomId)
  expect((await plane.sandbox.delete(`/recordings/${id}`)).status).toBe(204)
  const again = await trigger()
  expect(again).not.toBe(roomId)
  expect(await recordingIn(again)).toMatchObject({ status: 'available' })
})

test('is made without ffmpeg, and for a tenant that is no sandbox', async () => {
  const tenantLimits = { requestsPerMin: null, roomsMax: null, storedBytesMax: null }
  const { tenantId } = plane.tenant
  const config = { ...plane.deps.config, ffmpegPath: '/no/such/program' }
  const deps = { ...plane.deps, config }
  const made = await ensureSampleInterview(deps, { tenantId, tenantLimits })
  expect(await recordingIn(made.roomId, plane.tenant)).toMatchObject({
    id: made.recordingId,
    status: 'available',
  })
  expect((await plane.tenant.post('/sandbox/triggers', { type: 'sample_interview' })).status).toBe(
    404,
  )
})
