import { execFile, execFileSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { linkPackages, ROOT } from '../testing/repository-copy.ts'
import { IS_FULL_RUN } from '../testing/scope.ts'

const MIGRATIONS = 'server/migrations'
const RUN_MS = 30 * 60_000
const run = promisify(execFile)

/** Everything that an interview needs: booking, entry, notifications, chat, recording, close, webhooks. */
const SUBJECTS = [
  'domain/booking/create-room',
  'domain/people/open-entry',
  'domain/notifications/notifications',
  'api/room/live.test',
  'api/room/chat.test',
  'domain/recording/recordings/control-recording',
  'domain/recording/recordings/end-recording',
  'domain/room-end/close-room',
  'platform/webhooks/delivery-worker',
]

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
}

/** The latest tag, or the commit before the newest migration; undefined in a clone without that history. */
function previousRelease(): string | undefined {
  try {
    const tags = git('tag', '--merged', 'HEAD', '--sort=-creatordate', 'v*').split('\n')
    if (tags[0]) return tags[0]
    const files = git('ls-files', MIGRATIONS).split('\n')
    const added = git('log', '--diff-filter=A', '-1', '--format=%H', '--', files.at(-1) ?? '')
    return git('rev-parse', '--verify', '--quiet', `${added}^`)
  } catch {
    return undefined
  }
}

/** The sources of that commit with today's schema and the installed packages. */
async function layOut(commit: string, folder: string): Promise<void> {
  const archive = path.join(folder, 'sources.tar')
  await run('git', ['archive', '--output', archive, commit], { cwd: ROOT })
  await run('tar', ['-xf', archive, '-C', folder])
  // The folder is replaced, because a migration may have had another number then.
  await rm(path.join(folder, MIGRATIONS), { recursive: true })
  await cp(path.join(ROOT, MIGRATIONS), path.join(folder, MIGRATIONS), { recursive: true })
  await linkPackages(folder)
}

interface TestReport {
  success: boolean
  numPassedTests: number
  numFailedTests: number
}

/** Runs that commit's tests on today's schema, or on a changed one. */
async function testOnSchema(commit: string, subjects: readonly string[], change?: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-previous-'))
  try {
    await layOut(commit, folder)
    if (change !== undefined) await writeFile(path.join(folder, MIGRATIONS, '9999_x.sql'), change)
    const cwd = path.join(folder, 'server')
    const vitest = path.join(folder, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--reporter=json', '--outputFile=result.json', ...subjects]
    // Variables of the run that this test belongs to are removed.
    const env = { PATH: process.env['PATH'], CI: 'true' }
    const ended = run(process.execPath, args, { cwd, env, timeout: RUN_MS, maxBuffer: 2 ** 28 })
    await ended.catch(() => {})
    return JSON.parse(await readFile(path.join(cwd, 'result.json'), 'utf8')) as TestReport
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const BASE = IS_FULL_RUN ? previousRelease() : undefined

describe.runIf(BASE !== undefined)('the previous release (skipped without its history)', () => {
  test(
    'passes its own tests on the schema of this one',
    async () => {
      const report = await testOnSchema(BASE ?? '', SUBJECTS)
      expect(report).toMatchObject({ success: true, numFailedTests: 0 })
      expect(report.numPassedTests).toBeGreaterThan(50)
    },
    RUN_MS,
  )

  test(
    'fails them on a schema that lacks something it reads',
    async () => {
      const change = 'alter table sessions rename column cancelled_at to cancelled;\n'
      const report = await testOnSchema(BASE ?? '', ['domain/booking/create-room'], change)
      // The tests did run, which shows that the schema could be created.
      expect(report.success).toBe(false)
      expect(report.numFailedTests).toBeGreaterThan(0)
    },
    RUN_MS,
  )
})
