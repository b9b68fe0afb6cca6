import { randomUUID } from 'node:crypto'
import { enterByHand } from '@interview-room/e2e/src/harness/api-participant.ts'
import { makeTenant } from '@interview-room/e2e/src/harness/new-tenant.ts'
import { untilEnded } from '@interview-room/e2e/src/harness/recorded.ts'
import { untilTranscribed } from '@interview-room/e2e/src/harness/review-page.ts'
import type { LocalFile, Service } from '@interview-room/e2e/src/harness/service.ts'
import { actAsTenant } from '@interview-room/e2e/src/harness/tenant.ts'

const EVENTS = 500
const LINES = 3_000
/** A message and a marker each. The limit of messages per person allows as many at once. */
const STEPS = EVENTS / 2
const STEP_SEC = 28
/** A sandbox's recording may last two hours. */
const LENGTH_SEC = STEPS * STEP_SEC

export interface LongInterview {
  local: LocalFile
  recordingId: string
}

/** Holds an interview of two hours with 500 events in a sandbox, whose clock passes the time. */
export async function holdLongInterview(
  service: Pick<Service, 'admin' | 'local'>,
): Promise<LongInterview> {
  const local = await makeTenant(service, 'Long interviews', '--sandbox')
  const tenant = actAsTenant(local)
  const { id: roomId } = await tenant.book({ minutes: 180 })
  const params = { room_id: roomId }
  await tenant.api.addSimulatedPerson({ params, body: { role: 'panelist', name: 'Hanako' } })
  const who = { roomId, role: 'moderator', name: 'Mori', baseUrl: local.base_url }
  const moderator = await enterByHand(tenant, who)
  await moderator.post('/recording/start', { output_mode: 'composed' })
  for (let step = 1; step <= STEPS; step += 1) {
    await moderator.post('/messages', {
      id: randomUUID(),
      visibility: 'public',
      content_type: 'text',
      text: `Message ${step}`,
    })
    await moderator.post('/events', { event_type: 'marker', payload: { note: `Marker ${step}` } })
    await tenant.api.advanceSandboxClock({ body: { advance_seconds: STEP_SEC } })
  }
  await moderator.post('/recording/stop')
  const recording = await untilEnded(tenant, roomId)
  if (recording?.status !== 'available') throw new Error('the recording is not available')
  await untilTranscribed({ tenant }, recording.id)
  return { local, recordingId: recording.id }
}

/** A transcript of 3,000 lines by two people, in place of the few lines that a sandbox has. */
export function longTranscript(): string {
  const every = LENGTH_SEC / LINES
  const lines = Array.from({ length: LINES }, (_, line) => {
    const [from, to] = [line * every, (line + 0.9) * every]
    const name = line % 3 === 0 ? 'Mori' : 'Hanako'
    const words = `The bottle number ${line} is lighter than the one that I had before.`
    return `${timeOf(from)} --> ${timeOf(to)}\n<v ${name}>${words}`
  })
  return ['WEBVTT', ...lines].join('\n\n')
}

function timeOf(sec: number): string {
  return new Date(sec * 1000).toISOString().slice(11, 23)
}
