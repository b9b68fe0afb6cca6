import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from './testing/wait-for.ts'

const ROOT = path.join(import.meta.dirname, '../..')

/** For a start that refuses and exits; this takes long on a loaded machine. */
const start = (env: NodeJS.ProcessEnv) =>
  spawnSync(process.execPath, [path.join(import.meta.dirname, 'main.ts')], {
    env,
    encoding: 'utf8',
    timeout: 110_000,
  })

const SETTINGS = {
  PATH: process.env['PATH'],
  DATABASE_URL: 'postgres://127.0.0.1:1/nowhere',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  LIVEKIT_URL: 'http://127.0.0.1:1',
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: 'secret-of-nobody',
}

test('`npm run serve` refuses a WORK_DIR that a worker cannot write', () => {
  const { status, stderr } = start({
    ...SETTINGS,
    ROLE: 'worker',
    WORK_DIR: path.join(import.meta.filename, 'work'),
  })
  expect(status).toBe(1)
  expect(stderr).toContain(`WORK_DIR ${import.meta.filename}`)
  expect(stderr).toContain('cannot be written (ENOTDIR)')
})

test('`npm run serve` refuses to start without built pages, and names the command that builds them', () => {
  const { status, stderr } = start({ ...SETTINGS, ROLE: 'api', PAGES_DIR: '/nowhere' })
  expect(status).toBe(1)
  expect(stderr).toContain('no built pages in /nowhere. Run "npm run build"')
})

test.each([
  ['is empty', '', 'DATABASE_URL is required'],
  ['is no address', 'db', 'DATABASE_URL must be'],
  ['has a password that is not encoded', 'postgres://u:p#w@127.0.0.1:1/x', 'percent-encode'],
  ['names several hosts', 'postgres://u:p@127.0.0.1:1,127.0.0.1:2/x', 'must name one host'],
])('`npm run migrate` names a DATABASE_URL that %s', (_what, url, sentence) => {
  const file = path.join(import.meta.dirname, 'migrate.ts')
  const env = { PATH: process.env['PATH'], DATABASE_URL: url }
  const options = { env, encoding: 'utf8', timeout: 110_000, cwd: import.meta.dirname } as const
  const { status, stderr } = spawnSync(process.execPath, [file], options)
  expect([status, stderr]).toEqual([1, expect.stringContaining(sentence)])
  expect(stderr).not.toContain('p#w')
})

test('SIGTERM to `npm run serve` reaches the service, as from a supervisor that signals one process', async () => {
  const npm = spawn('npm', ['run', 'serve'], {
    cwd: ROOT,
    detached: true,
    env: { ...SETTINGS, ROLE: 'worker' },
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

test.each(['start', 'dev', 'serve', 'recorder'])(
  '`npm run %s` takes the place of its shell, which would not pass a signal on',
  (script) => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
    expect(scripts[script]).toMatch(/^exec sh scripts\/run\.sh /)
  },
)

/** Kills the processes that are left of the group. */
function killGroup(pid = 0): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
