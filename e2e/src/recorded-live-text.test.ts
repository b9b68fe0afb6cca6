import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import {
  COUNTER_RATE,
  hearCounter,
  tonesOf,
} from '@interview-room/server/src/testing/spoken-counter.ts'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ApiParticipant, connectAgreed } from './harness/api-participant.ts'
import { recordingsOf, untilEnded, untilRecorded } from './harness/recorded.ts'
import { ROOT } from './harness/service.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON_MS, waitFor } from './harness/wait.ts'

const PROGRAM = path.join(ROOT, 'server/src/testing/hear-counter-live.ts')
const NUMBERS = Array.from({ length: 20 }, (_, at) => String(4700 + at))
const BEFORE_SEC = 3
/** From one number to the next. */
const EVERY_SEC = 2
const FRAME = COUNTER_RATE / 100

const env = useTestEnvironment({
  hasBrowser: false,
  ownService: {
    env: {
      LIVE_TEXT_ENGINES: 'local',
      LIVE_TEXT_LOCAL_COMMAND: JSON.stringify([process.execPath, PROGRAM]),
    },
  },
})

beforeAll(async () => {
  const whose = ['--tenant', env.service.local.tenant_id]
  await env.service.admin('tenants', 'live-text', ...whose, '--for', 'everyone')
})

/** Silence until the new microphone has reached everybody, all numbers, and silence from then on. */
function* saidNumbers(): Generator<Int16Array> {
  for (let at = 0; at < BEFORE_SEC * COUNTER_RATE; at += FRAME) yield new Int16Array(FRAME)
  for (const number of NUMBERS) {
    const sound = new Int16Array(EVERY_SEC * COUNTER_RATE)
    const tones = tonesOf(number)
    sound.set(new Int16Array(tones.buffer, tones.byteOffset, tones.length / 2))
    for (let at = 0; at < sound.length; at += FRAME) yield sound.slice(at, at + FRAME)
  }
  for (;;) yield new Int16Array(FRAME)
}

async function textsOf(reader: ApiParticipant): Promise<{ text: string; identity: string }[]> {
  const { items } = await reader.get<{ items: { text: string; identity: string }[] }>('/transcript')
  return items
}

/** The numbers that are heard in the one recording of the room. */
async function numbersIn(recordingId: string): Promise<string[]> {
  const answer = await env.tenant.call('GET', `/recordings/${recordingId}/download-url`)
  const { data } = (await answer.json()) as { data: { url: string } }
  const file = path.join(env.folder, 'recording.mp4')
  const video = await fetch(data.url, { signal: AbortSignal.timeout(SOON_MS) })
  writeFileSync(file, Buffer.from(await video.arrayBuffer()))
  const args = ['-v', 'error', '-i', file, '-vn', '-ac', '1', '-ar', `${COUNTER_RATE}`]
  const sound = execFileSync('ffmpeg', [...args, '-f', 's16le', '-'], { maxBuffer: 64 * 1024 ** 2 })
  const samples = new Int16Array(sound.buffer, sound.byteOffset, Math.floor(sound.length / 2))
  return hearCounter(samples).map(({ text }) => text.trim())
}

describe.runIf(IS_FULL_RUN)('a room that is recorded and listened to', () => {
  test('has a complete recording and a complete live text, and nobody learns of the listener', async () => {
    const room = { archive_mode: 'manual', live_text: 'everyone' }
    const { id: roomId } = await env.tenant.book({ room })
    const moderator = await env.enterByHand({ roomId, role: 'moderator', name: 'Mori' })
    const watching = await connectAgreed(moderator)
    onTestFinished(() => watching.leave())
    const panelist = await env.enterByHand({ roomId, role: 'panelist', name: 'Pana' })
    const payload = { purpose: 'transcription' }
    await panelist.post('/events', { event_type: 'consent.given', payload })
    const client = await connectAgreed(panelist)
    onTestFinished(() => client.leave())
    await client.publishCamera()
    await moderator.post('/recording/start')
    await untilRecorded(moderator, 1)

    await client.play(saidNumbers(), COUNTER_RATE)
    const isComplete = async () => (await textsOf(moderator)).length >= NUMBERS.length
    await waitFor(isComplete, { what: 'everything is live text' })
    expect((await textsOf(moderator)).map(({ text }) => text)).toEqual(NUMBERS)
    expect([...watching.room.remoteParticipants.values()]).toHaveLength(1)
    const { roster } = await moderator.snapshot()
    expect(roster.map(({ display_name: name }) => name).toSorted()).toEqual(['Mori', 'Pana'])
    expect(await env.tenant.participants(roomId)).toHaveLength(2)

    await moderator.post('/recording/stop')
    const ended = await untilEnded(env.tenant, roomId)
    expect(ended?.status).toBe('available')
    expect(await numbersIn(ended?.id ?? '')).toEqual(NUMBERS)
    expect(await recordingsOf(env.tenant, roomId)).toHaveLength(1)
    const answer = await env.tenant.call('GET', `/recordings/${ended?.id}/timeline`)
    expect(await answer.json()).toMatchObject({ data: { items: [] } })
  })
})
