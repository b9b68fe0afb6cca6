import { checkPages } from '../api/pages/pages.ts'
import { checkOnce } from '../domain/monitoring/self-checks.ts'
import { systemClock } from '../platform/lib/clock.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { examine, fail, type CheckResult, ok, skipped } from './check-result.ts'

type ReadinessDeps = Pick<Deps, 'db' | 'config' | 'secretBox'>

interface SelfCheck {
  name: string
  /** The finding if readiness passes. */
  passes: string
  needsDatabase: boolean
}

const SELF_CHECKS: readonly SelfCheck[] = [
  { name: 'clock:skew', passes: "the clock is the database's", needsDatabase: true },
  { name: 'secrets:key', passes: 'SECRETS_KEY decrypts the secrets', needsDatabase: true },
  { name: 'worker:heartbeat', passes: 'a worker takes the jobs that are due', needsDatabase: true },
  {
    name: 'livekit:notifications',
    passes: 'nobody is in a room of which LiveKit sent no notification',
    needsDatabase: true,
  },
  { name: 'ffmpeg:program', passes: 'ffmpeg can make videos', needsDatabase: false },
  {
    name: 'machine:storageDir',
    passes: 'STORAGE_DIR has space, or a bucket is there',
    needsDatabase: false,
  },
  {
    name: 'configuration:publicUrl',
    passes: 'PUBLIC_URL fits HOST and TRUST_PROXY',
    needsDatabase: false,
  },
  {
    name: 'configuration:mediaUrl',
    passes: 'LIVEKIT_PUBLIC_URL works from the pages',
    needsDatabase: false,
  },
]

/** Longer than readiness waits: a program may start slowly, and a hanging one must be found. */
const ANSWER_MS = 15_000

/** Runs the checks of `/health/ready` with these settings. */
export async function checkReadiness(
  deps: ReadinessDeps,
  { hasDatabase, answerMs = ANSWER_MS }: { hasDatabase: boolean; answerMs?: number },
): Promise<CheckResult[]> {
  const { findings, unanswered } = await checkOnce({ ...deps, clock: systemClock }, answerMs)
  const self = SELF_CHECKS.map(({ name, passes, needsDatabase }): CheckResult => {
    const found = findings.find(({ check }) => check === name)
    if (found !== undefined) return { check: name, ...fail(found.reason, mendOf(name)) }
    if (needsDatabase && !hasDatabase) return { check: name, ...skipped('needs the database') }
    if (name === 'ffmpeg:program' && deps.config.role === 'api') {
      return { check: name, ...skipped('only workers use ffmpeg: ROLE is api') }
    }
    if (unanswered.includes(name)) {
      return { check: name, ...fail('gave no answer in time', mendOf(name)) }
    }
    return { check: name, ...ok(passes) }
  })
  return [...self, await examine('pages:responseTime', 'Run "npm run build".', () => pages(deps))]
}

async function pages({ config }: ReadinessDeps) {
  if (config.role === 'worker') return skipped('workers have no pages: ROLE is worker')
  return checkPages({ config }).then(
    () => ok(`the pages are built in ${config.pagesDir}`),
    () =>
      fail(
        `pages are missing in ${config.pagesDir}`,
        'Run "npm run build", or set PAGES_DIR to the built pages.',
      ),
  )
}

/** The runbook's section has the name of the check. */
function mendOf(check: string): string {
  return `See docs/runbook.md#${check.toLowerCase().replaceAll(':', '')}.`
}
