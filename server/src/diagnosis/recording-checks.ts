import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  CAPTURE_EXTENSION,
  chunkPrefixOf,
  unpackCapture,
} from '@interview-room/composer/capture/capture-archive.ts'
import { type Check, fail, ok, type Outcome, warn } from '../platform/checks/check.ts'
import { reasonOf } from '../platform/checks/reasons.ts'
import { readRecorderHealth, type RecorderHealth } from '../platform/checks/recorder-health.ts'
import { inTime } from '../platform/lib/settles-within.ts'
import type { Egress } from '../platform/ports/egress.ts'
import { MediaError } from '../platform/ports/media.ts'
import { newVideoKey } from '../platform/storage/object-key.ts'
import type { Diagnosis, DoctorEgress } from './diagnosis.ts'
import { MEND_MEDIA } from './media-checks.ts'
import { hasEgressNotification } from './store.ts'
import { until } from './until.ts'

const ANSWER_MS = 5_000
/** LiveKit Egress begins three to nine seconds after the order. */
const BEGIN_MS = 15_000
const STORE_MS = 12_000
const END_MS = 12_000
const NO_TENANT = '00000000-0000-0000-0000-000000000000'
/** Picture and sound of each client. */
const TRACKS = 4
/** LiveKit takes tokens that are a minute off. */
const CLOCK_MAX_MS = 60_000

const MEND_RECORDING =
  'Start a LiveKit Egress worker on the Redis of LiveKit, or "npm run recorder" with LIVEKIT_EGRESS_URL; one that is there needs what its /health names.'
const MEND_KEYS =
  'Check S3_EGRESS_ACCESS_KEY_ID, S3_EGRESS_SECRET_ACCESS_KEY and their right to put objects (docs/storage-and-files.md#bucket).'
const MEND_ENDPOINT =
  'Set S3_EGRESS_ENDPOINT to the address at which the recorder reaches the bucket.'
const MEND_PLACE =
  'Let the recorder write where the service reads: S3_EGRESS_ENDPOINT must lead to S3_BUCKET; without a bucket, EGRESS_OUTPUT_DIR must be STORAGE_DIR.'
const MEND_CLOCK = 'Fix NTP on its machine: it refuses tokens of another time, and LiveKit its own.'
const MEND_FULL =
  'Start another recorder, or raise EGRESS_MAX on machines with processor time to spare: the next recording is refused.'
const MEND_TWINS =
  'List every recorder once in LIVEKIT_EGRESS_URL: half of the stops would go to the one that does not know the recording.'

/** Every recorder stores what both clients send, where the service reads it, and reports it. */
export const RECORDING_CHECKS: readonly Check<Diagnosis>[] = [
  {
    name: 'livekit:recording',
    ask: checkRecorders,
    advice: MEND_RECORDING,
    when: { needs: ['storage:put', 'livekit:media'] },
  },
  {
    name: 'livekit:recorderWebhook',
    ask: checkNotifications,
    passes: 'the notifications of every recorder reach us',
    advice: ({ config }) =>
      `Set WEBHOOK_URL of the recorder to ${config.publicUrl}/api/v1/provider-events, and give it the key of LIVEKIT_API_KEY.`,
    when: { needs: ['livekit:recording', 'database:schema'] },
  },
]

/** Names the failed ones; all of them if none failed. */
async function checkRecorders(given: Diagnosis): Promise<Outcome> {
  const { egressUrls, apiUrl } = given.config.livekit
  const healths = await Promise.all(
    egressUrls.map(async (url) =>
      url === apiUrl ? undefined : inTime(readRecorderHealth(url, ANSWER_MS), ANSWER_MS),
    ),
  )
  const twins = egressUrls.filter((_url, at) => {
    const instance = healths[at]?.instance
    return instance !== undefined && healths.filter((each) => each?.instance === instance)[1]
  })
  if (twins.length > 0) {
    return fail(
      `${twins.join(' and ')} lead to one recorder, of which there are not two`,
      MEND_TWINS,
    )
  }
  const outcomes = await Promise.all(
    egressUrls.map((recorder, at) => checkRecorder(given, recorder, healths[at])),
  )
  const failed = outcomes.filter(({ result }) => result === 'fail')
  const named = failed.length > 0 ? failed : outcomes
  const detail = named.map((each) => each.detail).join('; ')
  const mends = new Set(named.flatMap(({ mend }) => mend ?? []))
  if (failed.length > 0) return fail(detail, [...mends].join(' ') || undefined)
  return outcomes.every(({ result }) => result === 'warn') ? warn(detail, MEND_FULL) : ok(detail)
}

async function checkRecorder(
  given: Diagnosis,
  recorder: string,
  health: RecorderHealth | undefined,
): Promise<Outcome> {
  const offMs = (health?.date?.getTime() ?? NaN) - given.databaseClock().getTime()
  if (Math.abs(offMs) > CLOCK_MAX_MS) {
    const sec = Math.round(offMs / 1000)
    return fail(
      `the clock of the recorder at ${recorder} is ${sec} s off the database's`,
      MEND_CLOCK,
    )
  }
  if (health !== undefined && health.problems.length > 0) {
    return fail(
      `no recorder takes orders at ${recorder}: ${health.problems.join(', ')}`,
      MEND_RECORDING,
    )
  }
  if (health?.recordingMax !== undefined && (health.recording ?? 0) >= health.recordingMax) {
    return warn(
      `the recorder at ${recorder} records as many as EGRESS_MAX allows, and was not tried`,
    )
  }
  const { fromCaptures } = given.config.recordings
  const video = newVideoKey(NO_TENANT, 'doctor')
  const key = fromCaptures ? video.replace(/\.mp4$/, CAPTURE_EXTENSION) : video
  try {
    return await record(given, { recorder, key })
  } finally {
    await removeRecording(given, key).catch(() => {})
  }
}

/** Records both clients, and reads back what the recorder has stored. */
async function record(
  given: Diagnosis,
  { recorder, key }: { recorder: string; key: string },
): Promise<Outcome> {
  const { media, storage, config, room, patience } = given
  const output = await storage.egressOutput(key)
  let begun: DoctorEgress
  try {
    const order = { mediaRoom: room, recorder, identity: undefined, output }
    const size = { width: 320, height: 180, frameRate: 10, videoKbps: 100 }
    const { egressId } = await media.startEgress({ ...order, ...size })
    begun = { egressId, recorder }
  } catch (error) {
    const isKey = error instanceof MediaError && error.isUnauthorized
    const why = isKey ? 'our key is refused' : `${reasonOf(error)}${hintOf(error, config)}`
    return fail(`no recorder takes orders at ${recorder}: ${why}`, MEND_RECORDING)
  }
  given.egresses.push(begun)
  const look = () => findEgress(given, begun)
  try {
    const active = await until(patience * BEGIN_MS, async () => {
      const egress = await look()
      return egress !== undefined && egress.status !== 'starting' ? egress : undefined
    })
    if (active?.status !== 'active') {
      const what = active === undefined ? 'begins nothing' : `ends at once as ${active.status}`
      return fail(`the recorder at ${recorder} ${what}: no media reach it`, MEND_MEDIA)
    }
    if (key.endsWith(CAPTURE_EXTENSION)) return await readCapture(given, key, { recorder, look })
    await delay(given.recordMs)
    await media.stopEgress(begun)
    return await readVideo(given, key, { recorder, look })
  } finally {
    await media.stopEgress(begun).catch(() => {})
    await until(END_MS, async () => {
      const egress = await look()
      return egress === undefined || egress.endedAt !== null || egress.refusal !== undefined
    })
  }
}

interface Recording {
  recorder: string
  look: () => Promise<Egress | undefined>
}

/** Waits until the storage has all tracks of a capture, chunk by chunk. */
async function readCapture(
  given: Diagnosis,
  key: string,
  { recorder, look }: Recording,
): Promise<Outcome> {
  const { storage, patience } = given
  const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-doctor-'))
  const read = new Set<string>()
  let refusal: string | undefined
  try {
    const isWhole = await until(patience * STORE_MS, async () => {
      for (const chunk of await storage.listWithPrefix(chunkPrefixOf(key))) {
        if (read.has(chunk.key)) continue
        await unpackCapture(await storage.read(chunk.key), folder)
        read.add(chunk.key)
      }
      if ((await tracksIn(folder)) >= TRACKS) return true
      refusal = (await look())?.refusal
      return refusal !== undefined
    })
    if (refusal !== undefined) return refused(recorder, refusal)
    if (isWhole === true) return ok(`the recorder at ${recorder} records, and the service reads it`)
    if (read.size === 0) {
      return fail(`nothing of the recorder at ${recorder} comes to the storage`, MEND_PLACE)
    }
    const tracks = await tracksIn(folder)
    return fail(`the recorder at ${recorder} has ${tracks} of ${TRACKS} tracks`, MEND_MEDIA)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function tracksIn(folder: string): Promise<number> {
  return (await readdir(folder)).filter((name) => name.endsWith('.rtp')).length
}

/** Waits for the video of a recorder that composes itself. */
async function readVideo(
  { storage }: Diagnosis,
  key: string,
  { recorder, look }: Recording,
): Promise<Outcome> {
  const ended = await until(END_MS, async () => {
    const egress = await look()
    return egress?.endedAt == null && egress?.refusal === undefined ? undefined : egress
  })
  if (ended === undefined) return fail(`the recorder at ${recorder} does not end`)
  if (ended.refusal !== undefined) return refused(recorder, ended.refusal)
  if (ended.hasUploadFailed) return refused(recorder, 'its upload failed')
  if (ended.status !== 'complete') {
    return fail(`the recorder at ${recorder} ends as ${ended.status}`, MEND_RECORDING)
  }
  const stored = await storage.head(key)
  if (stored !== undefined && stored.sizeBytes > 0) {
    return ok(`the recorder at ${recorder} records, and the service reads it`)
  }
  return fail(`nothing of the recorder at ${recorder} comes to the storage`, MEND_PLACE)
}

function refused(recorder: string, refusal: string): Outcome {
  const isAway = /^E[A-Z]|Timeout|Abort/.test(refusal)
  return fail(
    `the recorder at ${recorder} cannot store what it records (${refusal})`,
    isAway ? MEND_ENDPOINT : MEND_KEYS,
  )
}

async function findEgress({ media, room }: Diagnosis, { egressId, recorder }: DoctorEgress) {
  const { egresses } = await media.listEgress(room, [recorder])
  return egresses.find((each) => each.egressId === egressId)
}

async function removeRecording({ storage }: Diagnosis, key: string): Promise<void> {
  const chunks = await storage.listWithPrefix(chunkPrefixOf(key))
  await storage.delete([key, ...chunks.map((chunk) => chunk.key)])
}

/** Every recorder has reported the egress of this run. */
async function checkNotifications(given: Diagnosis): Promise<Outcome | undefined> {
  const { db, room: mediaRoom, egresses, notifiedMs } = given
  const silent: string[] = []
  await Promise.all(
    egresses.map(async ({ egressId, recorder }) => {
      const has = () => hasEgressNotification(db, { mediaRoom, egressId })
      if ((await until(notifiedMs, has)) === undefined) silent.push(recorder)
    }),
  )
  if (silent.length === 0) return undefined
  return fail(`the notifications of the recorder at ${silent.join(' and ')} do not arrive`)
}

/** Our own recorder writes only below its own folder, which may not be the service's. */
function hintOf(error: unknown, { storage }: Diagnosis['config']): string {
  const isInvalid = error instanceof MediaError && error.message.includes('invalid_argument')
  if (!isInvalid || storage.kind !== 'folder') return ''
  return `. EGRESS_OUTPUT_DIR of a recorder must be ${storage.folder}, the STORAGE_DIR of the service`
}
