import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { SignJWT } from 'jose'
import { type Check, fail, ok, type Outcome } from '../platform/checks/check.ts'
import { networkFault, reasonOf } from '../platform/checks/reasons.ts'
import { probeJoin, validateJoin } from '../platform/media/livekit/probe-livekit.ts'
import { ALL_RIGHTS, MediaError } from '../platform/ports/media.ts'
import { checkCodecs } from './codecs-check.ts'
import type { Diagnosis } from './diagnosis.ts'
import { hasNotificationOf, listRefusals } from './store.ts'
import { checkTurn } from './turn-check.ts'

const LOOK_EVERY_MS = 200
const ANSWER_MS = 5_000
/** A media room that a killed doctor leaves behind ends soon. */
const EMPTY_TIMEOUT_SEC = 30
const TOKEN_LIFE_SEC = 60

const MEND_API =
  'Check LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET, and the "keys" of LiveKit.'
const MEND_CLOCK = 'Fix NTP on its machine: it refuses tokens of another time.'
const CLOCK_MAX_MS = 60_000
const MEND_PUBLIC = 'Check LIVEKIT_PUBLIC_URL, and the proxy and the certificate behind it.'

function mendWebhook({ config }: Pick<Diagnosis, 'config'>): string {
  return `Set webhook.urls of LiveKit to ${config.publicUrl}/api/v1/provider-events and webhook.api_key to the key of LIVEKIT_API_KEY.`
}

const afterJoin = { needs: ['livekit:signalling'] } as const

/** Everything that an interview needs from LiveKit, tried in a media room of some seconds. */
export const LIVEKIT_CHECKS: readonly Check<Diagnosis>[] = [
  { name: 'livekit:api', ask: makeRoom, advice: MEND_API },
  {
    name: 'livekit:webhook',
    ask: checkNotification,
    passes: 'a notification of LiveKit reaches us',
    advice: mendWebhook,
    when: { needs: ['livekit:api', 'database:schema'] },
  },
  {
    name: 'livekit:signalling',
    ask: checkJoin,
    advice: MEND_PUBLIC,
    when: { needs: ['livekit:api'] },
  },
  {
    name: 'livekit:autoCreate',
    ask: checkAutoCreate,
    passes: 'LiveKit refuses to join a room that nobody made',
    advice: MEND_PUBLIC,
    when: afterJoin,
  },
  {
    name: 'livekit:turn',
    ask: async ({ config, offer }) => checkTurn(config.livekit.publicUrl, offer?.iceServers ?? []),
    advice: MEND_PUBLIC,
    when: afterJoin,
  },
  {
    name: 'livekit:codecs',
    ask: async ({ config, offer }) => checkCodecs(offer?.publishCodecs ?? [], config.recordings),
    advice: MEND_PUBLIC,
    when: afterJoin,
  },
]

async function makeRoom({ media, config, databaseClock, room: name }: Diagnosis): Promise<Outcome> {
  try {
    await media.ensureRoom({ name, emptyTimeoutSec: EMPTY_TIMEOUT_SEC, metadata: {} })
    return ok(`LiveKit makes a room at ${config.livekit.apiUrl}`)
  } catch (error) {
    const { apiUrl } = config.livekit
    const isKey = error instanceof MediaError && error.isUnauthorized
    if (isKey) return refusedKey(apiUrl, databaseClock())
    const reason = reasonOf(error)
    const words =
      networkFault(reason, `LIVEKIT_URL ${apiUrl}`) ??
      `LiveKit at ${apiUrl} does not do what it is asked (${reason})`
    return fail(words)
  }
}

/** LiveKit refuses tokens of another time just as those of another key. */
async function refusedKey(apiUrl: string, now: Date): Promise<Outcome> {
  const answer = await fetch(apiUrl.replace(/^ws/, 'http'), {
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => undefined)
  await answer?.body?.cancel()
  const offMs = Date.parse(answer?.headers.get('date') ?? '') - now.getTime()
  if (!(Math.abs(offMs) > CLOCK_MAX_MS)) return fail(`LiveKit at ${apiUrl} refuses our key`)
  const sec = Math.round(offMs / 1000)
  return fail(`the clock of LiveKit at ${apiUrl} is ${sec} s off the database's`, MEND_CLOCK)
}

/** LiveKit sends a notification for every room that begins, and the service stores it. */
async function checkNotification(given: Diagnosis): Promise<Outcome | undefined> {
  const end = performance.now() + given.notifiedMs
  while (!(await hasNotificationOf(given.db, given.room))) {
    if (performance.now() > end) {
      return fail(`LiveKit's notification did not arrive: ${await whyNot(given)}`)
    }
    await delay(LOOK_EVERY_MS)
  }
  return undefined
}

/** A room begins just before the wait. */
const REFUSED_BEFORE_SEC = 5
const REFUSALS = {
  signature: () => 'the service refuses one that is signed with another key',
  time: () => 'the service refuses one of another time: the clock of LiveKit is wrong',
  path: (path: string) => `one came to ${path} instead`,
} as const

/** Sends a notification ourselves to the address that LiveKit uses. */
async function whyNot({ db, config, databaseClock, notifiedMs }: Diagnosis): Promise<string> {
  const [refusal] = await listRefusals(db, Math.ceil(notifiedMs / 1000) + REFUSED_BEFORE_SEC)
  const url = `${config.publicUrl}/api/v1/provider-events`
  const { apiKey, apiSecret } = config.livekit
  const id = `EV_doctor_${randomUUID()}`
  const createdAt = String(Math.floor(databaseClock().getTime() / 1000))
  const body = JSON.stringify({ id, event: 'doctor', createdAt })
  const token = await new SignJWT({ sha256: createHash('sha256').update(body).digest('base64') })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(apiKey)
    .setExpirationTime('1 m')
    .sign(new TextEncoder().encode(apiSecret))
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { authorization: token, 'content-type': 'application/webhook+json' },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    if (status === 200) {
      if (refusal !== undefined) return REFUSALS[refusal.reason](refusal.path)
      return 'the service takes ours there, so LiveKit sends none, or elsewhere'
    }
    if (status === 401) return 'the service that runs refuses this key: restart it with this one'
    return `ours gets ${status} at ${url}`
  } catch (error) {
    return `nothing answers at ${url} (${reasonOf(error)})`
  }
}

/** Joins a room that does not exist, which succeeds only with auto_create. */
async function checkAutoCreate(deps: Diagnosis): Promise<Outcome | undefined> {
  const token = await signToken(deps, `doctor-absent-${randomUUID()}`)
  const status = await validateJoin(deps.config.livekit.publicUrl, token)
  if (status === 404) return undefined
  if (status === 200) {
    return fail(
      'LiveKit makes a room when somebody joins, so a closed interview can be entered again',
      'Set room.auto_create of LiveKit to false.',
    )
  }
  return fail(`LiveKit answers ${status} at ${deps.config.livekit.publicUrl}`)
}

async function checkJoin(given: Diagnosis): Promise<Outcome> {
  const { publicUrl } = given.config.livekit
  const token = await signToken(given, given.room)
  // A failed WebSocket has no reason; a failed request has one.
  const status = await validateJoin(publicUrl, token)
  if (status !== 200) {
    return fail(`LIVEKIT_PUBLIC_URL ${publicUrl} answers ${status} to somebody who may join`)
  }
  given.offer = await probeJoin(publicUrl, token)
  return ok(`LIVEKIT_PUBLIC_URL ${publicUrl} lets a browser in`)
}

function signToken({ media }: Diagnosis, mediaRoom: string): Promise<string> {
  return media.signToken({
    mediaRoom,
    identity: `doctor-${randomUUID()}`,
    displayName: 'doctor',
    // Joins as a person whom nobody sees.
    role: 'observer',
    rights: ALL_RIGHTS,
    lifeSec: TOKEN_LIFE_SEC,
  })
}
