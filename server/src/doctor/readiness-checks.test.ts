import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../platform/config/config.ts'
import { openDb } from '../platform/db/db.ts'
import { createSecretBox } from '../platform/lib/secret-box.ts'
import { TEST_ENVIRONMENT } from '../testing/deps.ts'
import { checkReadiness } from './readiness-checks.ts'

test('an ffmpeg that hangs is found, and does not pass for one that works', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'interview-room-doctor-'))
  const program = path.join(folder, 'ffmpeg')
  writeFileSync(program, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 })
  const config = loadConfig({ ...TEST_ENVIRONMENT, FFMPEG_PATH: program })
  const db = openDb({ url: config.databaseUrl, poolSize: 1, applicationName: 'tests' })
  const secretBox = createSecretBox(config.secretsKey)
  const findings = await checkReadiness(
    { db, config, secretBox },
    { hasDatabase: false, answerMs: 200 },
  )
  await db.end()
  rmSync(folder, { recursive: true })
  expect(findings.find(({ check }) => check === 'ffmpeg:program')).toMatchObject({
    result: 'fail',
    detail: 'gave no answer in time',
  })
  expect(findings.find(({ check }) => check === 'secrets:key')?.result).toBe('skipped')
})
