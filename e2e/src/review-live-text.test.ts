import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { join } from './harness/browser.ts'
import { untilEnded, untilRecorded } from './harness/recorded.ts'
import {
  lineWith,
  linkToReview,
  searchField,
  secondsOf,
  transcriptLines,
  video,
} from './harness/review-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { LATER_MS, SOON, waitFor } from './harness/wait.ts'
import { reviewText } from './harness/words.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'interview-room-review-'))
/** The engine of transcriptions waits for this file. */
const FLAG = path.join(folder, 'go')
const SAID = '[00:00:00.500 --> 00:00:01.750] The full transcript'
const WAIT = `until [ -e "$0" ]; do sleep 0.2; done; echo "$1"`
const PROGRAM = path.resolve(import.meta.dirname, 'harness/say-live.ts')
const WORD = '言葉'

const env = useTestEnvironment({
  ownService: {
    env: {
      LIVE_TEXT_ENGINES: 'local',
      LIVE_TEXT_LOCAL_COMMAND: JSON.stringify([process.execPath, PROGRAM]),
      TRANSCRIPTION_LOCAL_COMMAND: JSON.stringify(['sh', '-c', WAIT, FLAG, SAID, '{audio}']),
    },
  },
})
let recordingId: string

beforeAll(async () => {
  const whose = ['--tenant', env.service.local.tenant_id]
  await env.service.admin('tenants', 'live-text', ...whose, '--for', 'staff')
  recordingId = await recordSpeech()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const readLive = async (params: { recording_id: string }) =>
  env.tenant.api.getRecordingLiveTranscript({ params })

/** Records a moderator who speaks, until live text has written several sentences. */
async function recordSpeech(): Promise<string> {
  const { id: roomId } = await env.tenant.book({ room: { archive_mode: 'manual' } })
  const speaker = await env.open(
    { roomId, role: 'moderator', name: 'Mori' },
    { hasDevices: true, hasCamera: false },
  )
  await join(speaker)
  const second = await env.enterByHand({ roomId, role: 'moderator', name: 'Sato' })
  await second.post('/recording/start', { output_mode: 'composed' })
  await untilRecorded(second, 1)
  const { id } = (await env.tenant.api.listRecordings({ params: { room_id: roomId } })).items[0]!
  await waitFor(async () => (await readLive({ recording_id: id })).lines.length >= 3, {
    what: 'several sentences are written',
    timeoutMs: LATER_MS,
  })
  await second.post('/recording/stop')
  await untilEnded(env.tenant, roomId)
  return id
}

const note = reviewText((t) => t.transcript.live)

describe('a recording whose transcript is being made', () => {
  // contract: getRecordingLiveTranscript › The review page shows the lines until a transcription is done
  test('shows what live text wrote, and then the transcript', async () => {
    const link = await linkToReview(env, { recordingId }, { may: ['watch', 'correct'] })
    const { page } = await env.openLink(link)
    await page.getByText(note).waitFor(SOON)
    await lineWith(page, WORD).first().waitFor(SOON)
    await expectAccessible(page, 'live-text')

    const { lines } = await readLive({ recording_id: recordingId })
    const last = lines.at(-1)!
    await transcriptLines(page).last().click(SOON)
    const isThere = async () => Math.abs((await secondsOf(page)) - last.start_sec) < 0.3
    await waitFor(isThere, { what: 'the video stands at the line' })
    expect(last.start_sec).toBeGreaterThan(0)
    // The lines can be read only.
    await page.keyboard.press('F2')
    const form = page.getByRole('form', { name: reviewText((t) => t.transcript.correction) })
    expect(await form.count()).toBe(0)
    await searchField(page).fill(WORD)
    await page.locator('mark').first().waitFor(SOON)

    writeFileSync(FLAG, '')
    await lineWith(page, 'The full transcript').waitFor({ timeout: LATER_MS })
    expect(await page.getByText(note).count()).toBe(0)
    expect(await lineWith(page, WORD).count()).toBe(0)
    expect(await video(page).count()).toBe(1)
  })
})
