import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

test('`npm run serve` refuses the faults of tests', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, 'main.ts')],
    { env: { PATH: process.env['PATH'], MEDIA_FAULTS: 'true' }, encoding: 'utf8' },
  )
  expect(status).toBe(1)
  expect(stderr).toContain('MEDIA_FAULTS')
})
