import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitFor } from '../testing/wait-for.ts'
import { freePort } from './lib/ports.ts'
import { type EmbeddedMedia, startEmbeddedMedia } from './media-server-child.ts'

const HOST = '127.0.0.1'
const problems: string[] = []
let dataDir: string
let port: number
let media: EmbeddedMedia

beforeEach(async () => {
  problems.length = 0
  dataDir = mkdtempSync(path.join(tmpdir(), 'interview-room-media-'))
  port = await freePort(HOST)
  media = await startEmbeddedMedia({
    dataDir,
    host: HOST,
    port,
    apiKey: 'key',
    apiSecret: 'a-secret-that-only-tests-know-of',
    webhookUrl: 'http://127.0.0.1:1/',
    nodeIp: undefined,
    egress: { outputDir: dataDir, ffmpegPath: undefined },
    onProblem: (message) => problems.push(message),
    silenceMaxMs: 2_000,
  })
})

afterEach(async () => {
  await media.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a media server that stands still is ended and started again', async () => {
  const former = media.pid ?? 0
  process.kill(former, 'SIGSTOP')
  await waitFor(async () => media.pid !== former)

  expect(problems).toEqual([
    'the media server does not answer any more; ending it',
    'the media server ended unexpectedly (SIGKILL); starting it again',
  ])
  expect(() => process.kill(former, 0)).toThrow(/ESRCH/)
  const answer = await fetch(`http://${HOST}:${port}/`, { signal: AbortSignal.timeout(5_000) })
  expect(answer.status).toBe(200)
})
