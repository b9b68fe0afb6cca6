import { expect, test } from 'vitest'
import { createActingTenant } from '../../testing/acting-tenant.ts'
import { useSandbox } from '../../testing/sandbox.ts'
import { toAnswer } from '../../testing/tenant-client.ts'
import { waitFor } from '../../testing/wait-for.ts'

const plane = useSandbox()

/** Seconds that nobody waits for. */
const pass = (seconds: number) => plane.sandbox.post('/sandbox/clock', { advance_seconds: seconds })

/** Orders are answered before the recorder has followed: waits until it writes, or has ended, and earlier segments have ended. */
const until = (status: 'active' | 'complete') =>
  waitFor(async () => {
    const segments = await plane.database.db<{ status: string }[]>`
      select status from recording_segments order by position desc
    `
    return segments.every((each, at) => each.status === (at === 0 ? status : 'complete'))
  })

async function bookOpenRoom(): Promise<string> {
  const now = Date.now()
  const session = {
    external_type: 'Slot',
    external_id: 'true-timeline',
    starts_at: new Date(now + 60_000).toISOString(),
    ends_at: new Date(now + 3_660_000).toISOString(),
  }
  const body = { kind: 'interview', archive_mode: 'manual', session }
  return (await plane.sandbox.post('/rooms', body)).data.id
}

async function moderatorOf(roomId: string) {
  const acting = await createActingTenant(plane.deps, plane.sandbox.tenantId)
  const post = async (path: string, authorization: string, payload: object) => {
    const url = `/api/v1/rooms/${roomId}/live${path}`
    const headers = { authorization }
    return toAnswer(await plane.app.inject({ method: 'POST', url, headers, payload }))
  }
  const token = await acting.signToken({ roomId, role: 'moderator' })
  const entry = await post('/entry', `Bearer ${token}`, {})
  return async (path: string, payload: object = {}) => {
    const { status, text } = await post(path, `Bearer ${entry.data.ticket}`, payload)
    expect(status, text).toBeLessThan(300)
  }
}

interface Item {
  type: string
  at: string
  offset_sec: number
  payload: Record<string, string> | null
}

// contract: getRecordingTimeline › 200, the recorded `segments`, each with its `offset_sec` in the file
test('commands and events that follow each other at once keep their order in a simulated recording', async () => {
  const roomId = await bookOpenRoom()
  const person = { role: 'panelist', name: 'Respondent' }
  await plane.sandbox.post(`/sandbox/rooms/${roomId}/people`, person)
  const act = await moderatorOf(roomId)
  const mark = (note: string) => act('/events', { event_type: 'marker', payload: { note } })
  const say = (text: string) =>
    act('/messages', {
      id: crypto.randomUUID(),
      visibility: 'public',
      content_type: 'text',
      text,
    })

  await act('/recording/start')
  await until('active')
  await pass(30)
  await mark('first')
  await say('heard')
  await pass(10)
  await act('/recording/pause')
  await mark('in the pause')
  await say('not heard')
  await until('complete')
  await pass(20)
  await act('/recording/start')
  await until('active')
  await pass(10)
  await mark('second')
  await act('/recording/pause')
  await act('/recording/start')
  await until('active')
  await pass(5)
  await mark('third')
  const late = { note: 'seconds ago', seconds_ago: 2 }
  await act('/events', { event_type: 'marker', payload: late })
  await pass(60)
  await act('/recording/stop')
  const recording = async () =>
    (await plane.sandbox.get(`/rooms/${roomId}/recordings`)).data.items.at(-1)
  await waitFor(async () => (await recording()).status === 'available', 60_000)

  const { id, duration_sec: durationSec } = await recording()
  const { data } = await plane.sandbox.get(`/recordings/${id}/timeline?limit=100`)
  const spans = data.segments as { started_at: string; ended_at: string; offset_sec: number }[]
  expect(spans).toHaveLength(3)
  const lengths = spans.map(
    (each) => (Date.parse(each.ended_at) - Date.parse(each.started_at)) / 1000,
  )
  for (const [index, least] of [40, 10, 65].entries()) {
    expect(lengths[index]).toBeGreaterThanOrEqual(least)
    expect(lengths[index]).toBeLessThan(least + 10)
  }
  for (const [index, span] of spans.slice(1).entries()) {
    const before = spans[index]!
    expect(Date.parse(span.started_at)).toBeGreaterThanOrEqual(Date.parse(before.ended_at))
    expect(span.offset_sec).toBeCloseTo(before.offset_sec + lengths[index]!, 2)
  }
  expect(lengths.reduce((sum, each) => sum + each)).toBeCloseTo(durationSec, 0)
  const items = data.items as Item[]
  const notes = items.flatMap(({ payload }) => payload?.['note'] ?? payload?.['text'] ?? [])
  expect(notes).toEqual(['first', 'heard', 'second', 'seconds ago', 'third'])
  for (const { at, offset_sec: offsetSec } of items) {
    const span = spans.findLast((each) => Date.parse(each.started_at) <= Date.parse(at))!
    const inSpan = (Date.parse(at) - Date.parse(span.started_at)) / 1000
    expect(offsetSec).toBeCloseTo(span.offset_sec + inSpan, 2)
    expect(offsetSec).toBeLessThanOrEqual(durationSec)
  }
})
