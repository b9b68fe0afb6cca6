import type { ConnectionTestBody } from '@interview-room/contract/connection-tests.ts'
import { describe, expect, test } from 'vitest'
import { BRIEF_RUN, BRIEF_SEC } from './harness/brief-run.ts'
import { recordingsOf } from './harness/recorded.ts'
import { takeTest, testOf } from './harness/subject.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { openVideo } from './harness/video.ts'
import { LATER_MS, waitFor } from './harness/wait.ts'

const env = useTestEnvironment()

async function download(recordingId: string): Promise<Buffer> {
  const answer = await env.tenant.call('GET', `/recordings/${recordingId}/download-url`)
  const { data } = (await answer.json()) as { data: { url: string } }
  return Buffer.from(await (await fetch(data.url)).arrayBuffer())
}

async function entriesAndTranscripts({ room_id: roomId, recordings }: ConnectionTestBody) {
  const entries = await env.tenant.entries(roomId)
  const path = `/recordings/${recordings[0]?.id}/transcriptions`
  const answer = await env.tenant.call('GET', path)
  const { data } = (await answer.json()) as { data: { items: unknown[] } }
  return [entries, data.items]
}

describe('a recorded connection test', () => {
  test('has one recording of its own room that plays, no attendance and no transcript', async () => {
    const { id, status } = await takeTest(
      env,
      { record: true, name: 'P-07' },
      { before: BRIEF_RUN },
    )
    expect(status).toBe('completed')
    const over = await waitFor(
      async () => {
        const now = await testOf(env.tenant, id)
        return now.recordings[0]?.status === 'available' && now
      },
      { what: 'the recording of the test is available', timeoutMs: LATER_MS },
    )

    const [recording, ...others] = await recordingsOf(env.tenant, over.room_id)
    expect(others).toEqual([])
    expect(over.recordings).toEqual([
      { id: recording?.id, status: 'available', duration_sec: recording?.duration_sec },
    ])
    const video = await openVideo(await download(recording?.id ?? ''))
    video.dispose()
    expect(video.durationSec).toBeGreaterThan(BRIEF_SEC)
    expect(await entriesAndTranscripts(over)).toEqual([[], []])
  })
})
