import type { ErrorCode } from '@interview-room/contract/errors.ts'
import type { WebhookType } from '@interview-room/contract/webhooks.ts'
import { inTransaction, type Query, type Tx } from '../../platform/db/db.ts'
import type { Job, JobRequest } from '../../platform/jobs/job.ts'
import type { Clock } from '../../platform/lib/clock.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { disconnect } from '../../platform/sandbox/simulated-people.ts'
import { takeSimulated } from '../notifications/take-notification.ts'
import type { TicketHolder } from '../people/ticket.ts'
import type { Clip } from '../recording/clips/clip.ts'
import { createClip } from '../recording/clips/create-clip.ts'
import { createReel } from '../recording/clips/create-reel.ts'
import { listClips, listReels } from '../recording/clips/read-clips.ts'
import { createProcessed } from '../recording/processed-recordings/create-processed.ts'
import { orderByModerator, stopByModerator } from '../recording/recordings/control-recording.ts'
import { listRecordings } from '../recording/recordings/read-recordings.ts'
import { isRunning, type Recording, type RecordingKey } from '../recording/recordings/recording.ts'
import { passStartTimeout, recordFor } from './advance-clock.ts'

const KIND = 'run-sandbox-trigger'
const LOOK_AGAIN_MS = 300
/** The cut of the simulated recording, in seconds. */
const TRIM = { source: 'trim', trimStartSec: 0, trimEndSec: 3 } as const
/** Long enough for both. */
const RECORDED_SEC = 6
const CLIP = { start_sec: 0, end_sec: 3, title: 'Simulated clip' }

/** More than a room of a sandbox has. */
const RECORDINGS_MAX = 1_000

/** The webhook that the simulated moderator works towards. */
interface Trigger extends TicketHolder {
  type: WebhookType
  failureReason: string | null
  /** The newest recording that had already ended in the room; null without one. */
  before: string | null
  /** When to give up, as ISO 8601. */
  until: string
}

/** Records a room of a sandbox and takes the further steps of the trigger. */
export function runTriggerRequest(trigger: Trigger): JobRequest {
  return { kind: KIND, key: trigger.roomId, payload: { ...trigger } }
}

type RunDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>

/**
 * Takes the steps of a moderator and a tenant one after the other. Each run reads the current state first, so a process may
 * die between two steps.
 */
export function runTriggerJob(deps: RunDeps): Job {
  return {
    kind: KIND,
    async run({ payload, log }) {
      const trigger = payload as unknown as Trigger
      const now = deps.clock()
      const isOver = now >= new Date(trigger.until)
      try {
        const isDone = await takeStep(deps, trigger)
        if (!isDone && !isOver) {
          return { outcome: 'again', at: new Date(now.getTime() + LOOK_AGAIN_MS) }
        }
      } catch (error) {
        // Other errors, such as an unreachable database or storage, are retried. A refusal is retried until the trigger's
        // time is over.
        if (!(error instanceof ServiceError) || !(isOver || ENDS.includes(error.code))) throw error
        log.warn({ err: error, code: error.code }, 'sandbox trigger ended early')
      }
      await leave(deps, trigger)
      return { outcome: 'done' }
    },
  }
}

/** The room was closed meanwhile, its window ended, or the moderator has left. */
const ENDS: readonly ErrorCode[] = [
  'SESSION_RELEASED',
  'OUTSIDE_TIME_WINDOW',
  'PARTICIPANT_BANNED',
  'UNAUTHORIZED',
  'NOT_FOUND',
  'PROCESSED_RECORDING_ALREADY_EXISTS',
]

/** Returns true when no step is left. */
async function takeStep(deps: RunDeps, trigger: Trigger): Promise<boolean> {
  const newest = await newestRecording(deps.db, trigger.roomId)
  const recording = newest?.id === trigger.before ? undefined : newest
  if (recording === undefined) {
    await orderByModerator(deps, trigger, 'composed')
    return false
  }
  if (isRunning(recording)) {
    await endRecording(deps, trigger)
    return false
  }
  const make = MADE[trigger.type]
  if (make === undefined) return true
  if (recording.status === 'stopped' || recording.status === 'uploaded') return false
  if (recording.status === 'available') {
    const { id: recordingId, tenantId, roomId } = recording
    const key = { recordingId, tenantId, roomId }
    return inTransaction(deps.db, (tx) => make(tx, key, deps.clock))
  }
  return true
}

/** The order that makes something from the recording, by the webhook that reports its end. Returns false until it is made. */
const MADE: Partial<
  Record<WebhookType, (tx: Tx, key: MadeFrom, clock: Clock) => Promise<boolean>>
> = {
  async 'processed_recording.status_changed'(tx, key, clock) {
    await createProcessed(tx, key, { order: TRIM, now: clock() })
    return true
  },
  async 'clip.status_changed'(tx, key, clock) {
    await firstClip(tx, key, clock)
    return true
  },
  async 'reel.status_changed'(tx, key, clock) {
    const { id, status } = await firstClip(tx, key, clock)
    if (status === 'pending') return false
    const [reel] = await listReels(tx, { ...key, after: undefined, limit: 1 })
    if (reel !== undefined) return true
    await createReel(
      tx,
      { ...key, maker: null, clock },
      { clip_ids: [id], title: 'Simulated reel' },
    )
    return true
  },
}

/** A recording may have many clips, so only an existing clip shows that this step was already taken. */
async function firstClip(tx: Tx, key: RecordingKey, clock: Clock): Promise<Clip> {
  const [clip] = await listClips(tx, { ...key, after: undefined, limit: 1 })
  return clip ?? createClip(tx, { ...key, maker: null, clock }, CLIP)
}

type MadeFrom = RecordingKey & { roomId: string }

/** Reasons with which a recorder fails before it records anything. Nobody needs to stop it then. */
const AT_START: readonly (string | null)[] = [
  'start_timeout',
  'provider_failed',
  'provider_aborted',
]

async function endRecording(deps: RunDeps, trigger: Trigger): Promise<void> {
  const { type, failureReason } = trigger
  if (type !== 'recording.status_changed' || !AT_START.includes(failureReason)) {
    await recordFor(deps, trigger, RECORDED_SEC)
    await stopByModerator(deps, trigger)
  } else if (failureReason === 'start_timeout') {
    await passStartTimeout(deps, trigger)
  }
}

async function leave({ db }: RunDeps, { roomId, mediaIdentity }: Trigger): Promise<void> {
  const whose = { mediaRoom: roomId, identity: mediaIdentity }
  await inTransaction(db, (tx) => disconnect(tx, whose, takeSimulated))
}

/** Returns undefined in a room that was never recorded. */
export async function newestRecording(
  query: Query,
  roomId: string,
): Promise<Recording | undefined> {
  const all = await listRecordings(query, { roomId, after: undefined, limit: RECORDINGS_MAX })
  return all.at(-1)
}
