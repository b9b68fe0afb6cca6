import { expect, test } from 'vitest'
import { createActingTenant } from '../../testing/acting-tenant.ts'
import { useSandbox } from '../../testing/sandbox.ts'
import { toAnswer } from '../../testing/tenant-client.ts'
import { waitFor } from '../../testing/wait-for.ts'

const plane = useSandbox()

/** Seconds that nobody waits for. */
const pass = (seconds: number) => plane.sandbox.post('/sandbox/clock', { advance_seconds: seconds })

/** Calls the room as a moderator who entered by a token. */
async function moderatorOf(roomId: string) {
  const acting = await createActingTenant(plane.deps, plane.sandbox.tenantId)
  const post = async (path: string, authorization: string, payload: object) => {
    const url = `/api/v1/rooms/${roomId}/live${path}`
    return toAnswer(
      await plane.app.inject({ method: 'POST', url, headers: { authorization }, payload }),
    )
  }
  const token = await acting.signToken({ roomId, role: 'moderator' })
  const entry = await post('/entry', `Bearer ${token}`, {})
  return async (path: string, payload: object = {}) => {
    const { status, text } = await post(path, `Bearer ${entry.data.ticket}`, payload)
    expect(status, text).toBeLessThan(300)
  }
}

/** Orders are answered before the recorder has followed: waits until this many segments are being written. */
const written = (count: number) =>
  waitFor(async () => {
    const writing = await plane.database.db`
      select 1 from recording_segments where status = 'active'
    `
    return writing.length === count
  })

async function bookOpenRoom(): Promise<string> {
  const now = Date.now()
  const session = {
    external_type: 'Slot',
    external_id: 'true-lengths',
    starts_at: new Date(now + 60_000).toISOString(),
    ends_at: new Date(now + 3_660_000).toISOString(),
  }
  const body = { kind: 'interview', archive_mode: 'manual', session }
  return (await plane.sandbox.post('/rooms', body)).data.id
}

// contract: advanceSandboxClock › What is recorded lasts so much longer, and a pause, too
test('a simulated recording lasts as long as it lasted, and its timeline leaves out the pause', async () => {
  const roomId = await bookOpenRoom()
  const person = { role: 'panelist', name: 'Respondent' }
  await plane.sandbox.post(`/sandbox/rooms/${roomId}/people`, person)
  const act = await moderatorOf(roomId)
  const recording = async () =>
    (await plane.sandbox.get(`/rooms/${roomId}/recordings`)).data.items.at(-1)
  const mark = (note: string) => act('/events', { event_type: 'marker', payload: { note } })

  await act('/recording/start')
  await written(1)
  await pass(30)
  await mark('first')
  await act('/recording/pause')
  await written(0)
  await pass(20)
  await mark('in the pause')
  await act('/recording/resume')
  await written(1)
  await pass(10)
  await mark('second')
  await act('/recording/stop')
  await waitFor(async () => (await recording()).status === 'available', 60_000)

  const { id, duration_sec: durationSec } = await recording()
  expect(durationSec).toBeGreaterThan(40)
  expect(durationSec).toBeLessThan(60)
  const { data } = await plane.sandbox.get(`/recordings/${id}/timeline?limit=100`)
  const [first, second] = data.segments
  expect(data.segments).toHaveLength(2)
  const gapSec = (Date.parse(second.started_at) - Date.parse(first.ended_at)) / 1000
  expect(gapSec).toBeGreaterThanOrEqual(19)
  const notes = data.items
    .filter(({ type }: { type: string }) => type === 'marker')
    .map(({ payload }: { payload: { note: string } }) => payload.note)
  expect(notes).toEqual(['first', 'second'])
  for (const { offset_sec: offsetSec } of data.items)
    expect(offsetSec).toBeLessThan(durationSec + 1)
})
