import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  startTestS3,
  type TestS3,
} from '@interview-room/server/src/platform/storage/testing/s3-server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRecordedRoom, untilEnded, untilRecorded } from './harness/recorded.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { settingsOfS3 } from './harness/test-s3.ts'
import { waitFor } from './harness/wait.ts'

let s3: TestS3

beforeAll(async () => {
  s3 = await startTestS3()
})

afterAll(async () => {
  await s3?.close()
})

const env = useTestEnvironment({
  ownService: { env: () => ({ ...settingsOfS3(s3), LOG_LEVEL: 'debug' }) },
  hasBrowser: false,
})

/** Logs, rows and whatever else the service, its database and its media server have written. */
function filesWith(text: string): string[] {
  return readdirSync(env.service.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text))
}

describe('a recording in a bucket', () => {
  test('is written, joined and fetched there, without leaking its keys', async () => {
    const { roomId, moderator } = await openRecordedRoom(env)
    await moderator.post('/recording/start')
    await untilRecorded(moderator, 2)
    await moderator.post('/recording/pause')
    await moderator.post('/recording/resume')
    await untilRecorded(moderator, 4)
    const secret = s3.config.secretAccessKey ?? ''
    // Checked while the media server uses the keys, which it must not print.
    expect(env.service.output()).not.toContain(secret)
    await moderator.post('/recording/stop')

    const recording = await untilEnded(env.tenant, roomId)
    expect(recording).toMatchObject({ status: 'available' })
    const answer = await env.tenant.call('GET', `/recordings/${recording?.id}/download-url`)
    const { data } = (await answer.json()) as { data: { url: string } }
    expect(data.url).toContain(String(s3.config.endpoint))
    const file = await fetch(data.url)
    expect((await file.arrayBuffer()).byteLength).toBe(recording?.size)

    const files = () => [...s3.objects.keys()].filter((key) => !key.includes('/voices/'))
    await waitFor(() => files().length === 1, {
      what: 'only the whole recording and voices are left',
    })
    expect(filesWith(secret)).toEqual([])
    expect(env.service.output()).not.toContain(secret)
  })
})
