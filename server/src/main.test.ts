import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from './testing/wait-for.ts'

test('`npm run serve` refuses the faults of tests', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, 'main.ts')],
    { env: { PATH: process.env['PATH'], MEDIA_FAULTS: 'true' }, encoding: 'utf8' },
  )
  expect(status).toBe(1)
  expect(stderr).toContain('MEDIA_FAULTS')
})

test('SIGTERM to `npm run serve` reaches the service, as from a supervisor that signals one process', async () => {
  const npm = spawn('npm', ['run', 'serve'], {
    cwd: path.join(import.meta.dirname, '../..'),
    detached: true,
    env: {
      PATH: process.env['PATH'],
      ROLE: 'worker',
      DATABASE_URL: 'postgres://127.0.0.1:1/nowhere',
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
      LIVEKIT_URL: 'http://127.0.0.1:1',
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: 'secret-of-nobody',
    },
  })
  let output = ''
  npm.stderr.on('data', (chunk) => (output += String(chunk)))
  try {
    await waitFor(() => output.includes('waiting for the database'))
    const closed = once(npm.stderr, 'close')
    npm.kill('SIGTERM')
    await closed
  } finally {
    killGroup(npm.pid)
  }
})

/** What is left of it. */
function killGroup(pid = 0): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
