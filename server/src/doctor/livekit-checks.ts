import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { SignJWT } from 'jose'
import type { Config } from '../platform/config/config.ts'
import { type JoinOffer, probeJoin, validateJoin } from '../platform/media/livekit/probe-livekit.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { ALL_RIGHTS, MediaError } from '../platform/ports/media.ts'
import { type EgressOutput, StorageError } from '../platform/ports/storage.ts'
import { newVideoKey } from '../platform/storage/object-key.ts'
import {
  examine,
  fail,
  type CheckResult,
  networkFault,
  ok,
  skipped,
  type Outcome,
  reasonOf,
} from './check-result.ts'
import { checkCodecs } from './codecs-check.ts'
import { hasNotificationOf } from './store.ts'
import { checkTurn } from './turn-check.ts'

type LivekitDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'config' | 'clock'>

const LOOK_EVERY_MS = 200
const ANSWER_MS = 5_000
/** A media room that a killed doctor leaves behind ends soon. */
const EMPTY_TIMEOUT_SEC = 30
const TOKEN_LIFE_SEC = 60
const NO_TENANT = '00000000-0000-0000-0000-000000000000'

const MEND_API =
  'Check LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET, and the "keys" of LiveKit.'
const MEND_PUBLIC = 'Check LIVEKIT_PUBLIC_URL, and the proxy and the certificate behind it.'
const MEND_RECORDING =
  'Start a LiveKit Egress worker on the Redis of LiveKit, or "npm run recorder" with LIVEKIT_EGRESS_URL; one that is there needs what its /health names.'

/** Creates a media room for some seconds, and tries everything that an interview needs from LiveKit. */
export async function checkLivekit(
  deps: LivekitDeps,
  { hasDatabase, notifiedMs }: { hasDatabase: boolean; notifiedMs: number },
): Promise<CheckResult[]> {
  const room = `doctor-${randomUUID()}`
  const made = await examine('livekit:api', MEND_API, () => makeRoom(deps, room))
  if (made.result !== 'ok') {
    const others = ['webhook', 'autoCreate', 'signalling', 'turn', 'codecs', 'recording']
    return [made, ...others.map((name) => ({ check: `livekit:${name}`, ...skipped(NEEDS_API) }))]
  }
  try {
    const [webhook, autoCreate, joining, recording] = await Promise.all([
      examine('livekit:webhook', mendWebhook(deps), async () =>
        hasDatabase
          ? checkNotification(deps, room, notifiedMs)
          : skipped('needs the database, where notifications arrive'),
      ),
      examine('livekit:autoCreate', MEND_PUBLIC, () => checkAutoCreate(deps)),
      checkJoin(deps, room),
      examine('livekit:recording', MEND_RECORDING, () => checkRecorders(deps, room)),
    ])
    return [made, webhook, autoCreate, ...joining, recording]
  } finally {
    await deps.media.deleteRoom(room).catch(() => {})
  }
}

const NEEDS_API = "needs LiveKit's API"

function mendWebhook({ config }: LivekitDeps): string {
  return `Set webhook.urls of LiveKit to ${config.publicUrl}/api/v1/provider-events and webhook.api_key to the key of LIVEKIT_API_KEY.`
}

async function makeRoom({ media, config }: LivekitDeps, name: string): Promise<Outcome> {
  try {
    await media.ensureRoom({ name, emptyTimeoutSec: EMPTY_TIMEOUT_SEC, metadata: {} })
    return ok(`LiveKit makes a room at ${config.livekit.apiUrl}`)
  } catch (error) {
    const { apiUrl } = config.livekit
    const isKey = error instanceof MediaError && error.isUnauthorized
    if (isKey) return fail(`LiveKit at ${apiUrl} refuses our key`, MEND_API)
    const reason = reasonOf(error)
    const words =
      networkFault(reason, `LIVEKIT_URL ${apiUrl}`) ??
      `LiveKit at ${apiUrl} does not do what it is asked (${reason})`
    return fail(words, MEND_API)
  }
}

/** LiveKit sends a notification for every room that begins, and the service stores it. */
async function checkNotification(
  deps: LivekitDeps,
  room: string,
  waitMs: number,
): Promise<Outcome> {
  const end = performance.now() + waitMs
  while (!(await hasNotificationOf(deps.db, room))) {
    if (performance.now() > end) {
      return fail(`LiveKit's notification did not arrive: ${await whyNot(deps)}`, mendWebhook(deps))
    }
    await delay(LOOK_EVERY_MS)
  }
  return ok('a notification of LiveKit reaches us')
}

/** Sends a notification ourselves to the address that LiveKit uses. */
async function whyNot({ config, clock }: LivekitDeps): Promise<string> {
  const url = `${config.publicUrl}/api/v1/provider-events`
  const { apiKey, apiSecret } = config.livekit
  const id = `EV_doctor_${randomUUID()}`
  const createdAt = String(Math.floor(clock().getTime() / 1000))
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
    if (status === 200) return 'the service takes ours there, so LiveKit sends none, or elsewhere'
    if (status === 401) return 'the service that runs refuses this key: restart it with this one'
    return `ours gets ${status} at ${url}`
  } catch (error) {
    return `nothing answers at ${url} (${reasonOf(error)})`
  }
}

/** Joins a room that does not exist, which succeeds only with auto_create. */
async function checkAutoCreate(deps: LivekitDeps): Promise<Outcome> {
  const token = await signToken(deps, `doctor-absent-${randomUUID()}`)
  const status = await validateJoin(deps.config.livekit.publicUrl, token)
  if (status === 404) return ok('LiveKit refuses to join a room that nobody made')
  if (status === 200) {
    return fail(
      'LiveKit makes a room when somebody joins, so a closed interview can be entered again',
      'Set room.auto_create of LiveKit to false.',
    )
  }
  return fail(`LiveKit answers ${status} at ${deps.config.livekit.publicUrl}`, MEND_PUBLIC)
}

async function checkJoin(deps: LivekitDeps, room: string): Promise<CheckResult[]> {
  const { livekit, recordings } = deps.config
  const { publicUrl } = livekit
  let offer: JoinOffer | undefined
  const joined = await examine('livekit:signalling', MEND_PUBLIC, async () => {
    offer = await probeJoin(publicUrl, await signToken(deps, room))
    return ok(`LIVEKIT_PUBLIC_URL ${publicUrl} lets a browser in`)
  })
  const afterJoin = async (check: (joinOffer: JoinOffer) => Outcome | Promise<Outcome>) =>
    offer === undefined ? skipped('needs a join') : check(offer)
  const turn = await examine('livekit:turn', MEND_PUBLIC, () =>
    afterJoin(({ iceServers }) => checkTurn(publicUrl, iceServers)),
  )
  const codecs = await examine('livekit:codecs', MEND_PUBLIC, () =>
    afterJoin(({ publishCodecs }) => checkCodecs(publishCodecs, recordings)),
  )
  return [joined, turn, codecs]
}

/** Names the failed ones; all of them if none failed. */
async function checkRecorders(deps: LivekitDeps, mediaRoom: string): Promise<Outcome> {
  const { storage, config } = deps
  const key = newVideoKey(NO_TENANT, 'doctor')
  const output = await storage.egressOutput(key).catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error
  })
  if (output === undefined) return skipped('needs the storage')
  const outcomes = await Promise.all(
    config.livekit.egressUrls.map((recorder) =>
      checkRecording(deps, { mediaRoom, recorder, output }),
    ),
  )
  await storage.delete([key]).catch(() => {})
  const failed = outcomes.filter(({ result }) => result === 'fail')
  const named = failed.length > 0 ? failed : outcomes
  const detail = named.map((each) => each.detail).join('; ')
  return failed.length > 0 ? fail(detail, MEND_RECORDING) : ok(detail)
}

interface DoctorRecording {
  mediaRoom: string
  recorder: string
  output: EgressOutput
}

/** Orders the recording of a person who never joins, and cancels it: nothing is written. */
async function checkRecording(
  { media, config }: LivekitDeps,
  { mediaRoom, recorder, output }: DoctorRecording,
): Promise<Outcome> {
  try {
    const { egressId } = await media.startEgress({
      mediaRoom,
      recorder,
      identity: 'doctor',
      width: 320,
      height: 180,
      frameRate: 10,
      videoKbps: 100,
      output,
    })
    // An egress that has not started may take long to end. The end of its room ends it, too.
    await media.stopEgress({ egressId, recorder }).catch(() => {})
    return ok(`a recorder takes orders at ${recorder}`)
  } catch (error) {
    const isKey = error instanceof MediaError && error.isUnauthorized
    const reason = `${reasonOf(error)}${hintOf(error, config)}`
    const why = isKey ? 'our key is refused' : ((await problemsOf(recorder)) ?? reason)
    return fail(`no recorder takes orders at ${recorder}: ${why}`, MEND_RECORDING)
  }
}

function signToken({ media }: LivekitDeps, mediaRoom: string): Promise<string> {
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

/** Our own recorder writes only below its own folder, which may not be the service's. */
function hintOf(error: unknown, { storage }: Pick<Config, 'storage'>): string {
  const isInvalid = error instanceof MediaError && error.message.includes('invalid_argument')
  if (!isInvalid || storage.kind !== 'folder') return ''
  return `. EGRESS_OUTPUT_DIR of a recorder must be ${storage.folder}, the STORAGE_DIR of the service`
}

/** The problems that our own recorder reports; undefined if it has none, is away or is another program. */
async function problemsOf(recorder: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${recorder}/health`, { signal: AbortSignal.timeout(ANSWER_MS) })
    const { problems } = (await answer.json()) as { problems?: string[] }
    return problems?.join(', ') || undefined
  } catch {
    return undefined
  }
}
