import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const KEY = 'a-key-that-nobody-may-read'
let service: Service

beforeAll(async () => {
  service = await startService({
    env: {
      LOG_LEVEL: 'info',
      TRANSCRIPTION_LOCAL_COMMAND: '["hear","--password","open-sesame","{audio}"]',
      TRANSCRIPTION_ENGINE_A: 'deepgram',
      TRANSCRIPTION_DEEPGRAM_KEY: KEY,
      TRANSCRIPTION_ENGINE_E: 'none',
    },
  })
})
afterAll(async () => {
  await service.stop()
})

test('the service says at its start which engine stands behind each name, and no secret of theirs', async () => {
  const line = await waitFor(
    () => /^\{.*"transcription engines".*\}$/m.exec(service.output())?.[0],
    { what: 'the engines are named' },
  )
  expect(JSON.parse(line)).toMatchObject({
    engine_a: 'deepgram',
    engine_b: 'local',
    engine_c: 'local',
    engine_d: 'local',
    engine_e: 'none',
  })
  expect(service.output()).not.toContain(KEY)
  expect(service.output()).not.toContain('open-sesame')
})
