import { type Check, fail, ok, type Outcome } from '../platform/checks/check.ts'
import { reasonOf } from '../platform/checks/reasons.ts'
import { isLoopback } from '../platform/checks/service-checks.ts'
import { listServiceKeys } from '../platform/service-keys/service-keys.ts'
import type { Diagnosis } from './diagnosis.ts'
import { checkHttp2 } from './http2-check.ts'

const ANSWER_MS = 5_000
const advice = 'Start the service, and check DNS, the certificate and the proxy behind PUBLIC_URL.'

/** PUBLIC_URL suits browsers, leads to a service on this database, and gives a browser enough connections. */
export const ADDRESS_CHECKS: readonly Check<Diagnosis>[] = [
  { name: 'address:https', ask: async ({ config }) => checkScheme(config.publicUrl), advice },
  { name: 'address:service', ask: checkService, advice, when: { needs: ['database:schema'] } },
  {
    name: 'address:http2',
    ask: async ({ config }) => checkHttp2(config.publicUrl),
    advice,
    when: { needs: ['address:service'] },
  },
]

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
async function checkService({ db, config }: Diagnosis): Promise<Outcome> {
  const { publicUrl } = config
  const answer = await fetch(`${publicUrl}/.well-known/jwks.json`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: unknown) => reasonOf(error))
  if (typeof answer === 'string') {
    return fail(`nothing answers at PUBLIC_URL ${publicUrl} from here (${answer})`)
  }
  if (answer.status !== 200) {
    await answer.body?.cancel()
    const location = answer.headers.get('location')
    const where = location === null ? '' : ` to ${location}`
    return fail(`PUBLIC_URL ${publicUrl} answers ${answer.status}${where}`)
  }
  const published = kidsOf(await answer.json().catch(() => undefined))
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
