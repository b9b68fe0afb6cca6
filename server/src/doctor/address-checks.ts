import type { Deps } from '../platform/ports/deps.ts'
import { listServiceKeys } from '../platform/service-keys/service-keys.ts'
import {
  examine,
  fail,
  type CheckResult,
  ok,
  type Outcome,
  reasonOf,
  skipped,
} from './check-result.ts'

const ANSWER_MS = 5_000
const MEND = 'Start the service, and check DNS, the certificate and the proxy behind PUBLIC_URL.'

/** Checks that PUBLIC_URL suits browsers, and leads to a service on this database. */
export async function checkAddress(
  deps: Pick<Deps, 'db' | 'config'>,
  { hasDatabase }: { hasDatabase: boolean },
): Promise<CheckResult[]> {
  const { publicUrl } = deps.config
  const secure = await examine('address:https', MEND, async () => checkScheme(publicUrl))
  const service = await examine('address:service', MEND, () => checkService(deps, hasDatabase))
  return [secure, service]
}

function checkScheme(publicUrl: string): Outcome {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:') return ok(`browsers allow cameras at ${publicUrl}`)
  if (isLoopback(hostname)) return ok(`browsers allow cameras at ${publicUrl} on this machine`)
  return fail(
    `browsers give no camera and no microphone to pages of ${publicUrl}`,
    'Serve it by https, and set PUBLIC_URL to that address (docs/deployment.md#tls).',
  )
}

/** The published keys show which service answers. */
async function checkService(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  hasDatabase: boolean,
): Promise<Outcome> {
  const { publicUrl } = config
  const answer = await fetch(`${publicUrl}/.well-known/jwks.json`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: unknown) => reasonOf(error))
  if (typeof answer === 'string') {
    return fail(`nothing answers at PUBLIC_URL ${publicUrl} from here (${answer})`, MEND)
  }
  if (answer.status === 503 && !hasDatabase) {
    await answer.body?.cancel()
    return skipped(`PUBLIC_URL ${publicUrl} answers 503, as a service without its database does`)
  }
  if (answer.status !== 200) {
    await answer.body?.cancel()
    const location = answer.headers.get('location')
    const where = location === null ? '' : ` to ${location}`
    return fail(`PUBLIC_URL ${publicUrl} answers ${answer.status}${where}`, MEND)
  }
  const published = kidsOf(await answer.json().catch(() => undefined))
  if (!hasDatabase) return skipped('needs the database to know whose service answers')
  const own = await listServiceKeys(db)
  if (own.some(({ kid }) => published.includes(kid))) {
    return ok(`PUBLIC_URL ${publicUrl} leads to a service on this database`)
  }
  return fail(
    `PUBLIC_URL ${publicUrl} leads to something else, or to a service on another database`,
    'Give all processes the same DATABASE_URL, and let the proxy lead to them.',
  )
}

function kidsOf(body: unknown): unknown[] {
  const { keys } = (body ?? {}) as { keys?: unknown }
  return Array.isArray(keys) ? keys.map((key: { kid?: unknown } | null) => key?.kid) : []
}

/** True if the name leads to this machine only, as every name below `localhost` does (RFC 6761). */
export function isLoopback(hostname: string): boolean {
  return ['[::1]', '::1'].includes(hostname) || /^(?:127\.|(?:.+\.)?localhost$)/.test(hostname)
}
