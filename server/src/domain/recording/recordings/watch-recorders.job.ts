import { setTimeout as delay } from 'node:timers/promises'
import { enqueueAll } from '../../../platform/jobs/enqueue.ts'
import { type RepeatingJob, repeatingJob } from '../../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import { followRecordingRequest } from './recording-requests.ts'
import { findRecordedRoom } from './running-store.ts'
import { listRunningCaptures, noteAlive, noteGrowth } from './segment-store.ts'
import { isSilentAtStart, type Segment } from './segment.ts'
import {
  type Replacement,
  replaceRecorder,
  SILENT_AT_START,
  UNREACHABLE,
} from './settle-segments.ts'

type WatchDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'log'>

/** In milliseconds. */
interface WatchTimes {
  /** Pause between two attempts to reach a recorder. */
  pauseMs: number
  /** Time for which it must be out of reach. */
  unreachableMs: number
}

/**
 * Until another recorder continues, everything in the room is lost, and so is what this one has not delivered. So the
 * checks are frequent.
 */
const EVERY_SEC = 1
/** Shortest interval between two stored signs of life, or of growth. */
const NOTED_MS = 3_000
const TIMES: WatchTimes = { pauseMs: 500, unreachableMs: 3_000 }

/**
 * Notices within seconds that a recorder has ended: its address accepts no connection, or accepts one but does not know its
 * egresses. A slow recorder accepts connections and knows its egresses; the check of growing bytes covers it. Before there
 * are bytes, it must report something within the same time.
 */
export function watchRecordersJob(deps: WatchDeps, times = TIMES): RepeatingJob {
  return repeatingJob({
    kind: 'watch-recorders',
    everySec: EVERY_SEC,
    clock: deps.clock,
    async run({ signal }) {
      const running = await listRunningCaptures(deps.db)
      const byRecorder = Map.groupBy(running, ({ recorder }) => recorder)
      await Promise.all(
        [...byRecorder].map(async ([recorder, segments]) => {
          if (recorder !== null) await watch(deps, { recorder, segments, times, signal })
        }),
      )
      return 'done'
    },
  })
}

interface RecorderWatch {
  recorder: string
  segments: readonly Segment[]
  times: WatchTimes
  signal: AbortSignal
}

async function watch(deps: WatchDeps, watched: RecorderWatch): Promise<void> {
  const { db, media } = deps
  const { recorder, segments } = watched
  if (!(await media.isReachable(recorder))) return watchUnreachable(deps, watched)
  const running = await media.listRunning(recorder).catch((error: unknown) => {
    if (!(error instanceof MediaError)) throw error
    return undefined
  })
  if (running === undefined) return watchSilent(deps, watched)
  await noteSigns(deps, segments, running)
  await noteAllGrowth(deps, segments, running)
  // The rooms' jobs ask again, and decide.
  const missing = segments.filter(({ egressId }) => egressId !== null && !running.has(egressId))
  const roomIds = new Set(missing.map(({ roomId }) => roomId))
  await enqueueAll(
    db,
    [...roomIds].map((roomId) => followRecordingRequest(roomId)),
  )
}

/** Records signs of life of segments that have not begun and therefore have no growing bytes. */
async function noteSigns(
  { db, clock }: WatchDeps,
  segments: readonly Segment[],
  running: ReadonlyMap<string, number | null>,
): Promise<void> {
  const at = clock()
  for (const { id, status, egressId, aliveAt } of segments) {
    if (status !== 'starting' || egressId === null || !running.has(egressId)) continue
    const isNoted = aliveAt !== null && at.getTime() - aliveAt.getTime() < NOTED_MS
    if (!isNoted) await noteAlive(db, id, at)
  }
}

/** A segment that is already being written is judged by its bytes. */
async function watchSilent(deps: WatchDeps, { recorder, segments }: RecorderWatch): Promise<void> {
  const now = deps.clock()
  const silent = segments.filter((segment) => isSilentAtStart(segment, now))
  await replaceElsewhere(deps, { recorder, segments: silent }, SILENT_AT_START)
}

/**
 * Records growth more often than rooms are reconciled. A stall is measured from the last growth seen, so a short silence
 * after a long gap between checks would look like a long one.
 */
async function noteAllGrowth(
  { db, clock }: WatchDeps,
  segments: readonly Segment[],
  running: ReadonlyMap<string, number | null>,
): Promise<void> {
  const at = clock()
  for (const { id, status, egressId, grownAt, writtenBytes: known } of segments) {
    const writtenBytes = running.get(egressId ?? '') ?? null
    if (status !== 'active' || writtenBytes === null || writtenBytes === known) continue
    const isNoted = grownAt !== null && at.getTime() - grownAt.getTime() < NOTED_MS
    if (!isNoted) await noteGrowth(db, { id, writtenBytes, at })
  }
}

/** Without another recorder, replacing gains nothing: this one may return in a moment and continue what it recorded. */
async function watchUnreachable(deps: WatchDeps, watched: RecorderWatch): Promise<void> {
  if (await staysAway(deps, watched)) await replaceElsewhere(deps, watched, UNREACHABLE)
}

async function replaceElsewhere(
  deps: WatchDeps,
  { recorder, segments }: Pick<RecorderWatch, 'recorder' | 'segments'>,
  why: Replacement,
): Promise<void> {
  for (const segment of segments) {
    if (!(await hasAnother(deps, segment.roomId, recorder))) continue
    const room = await findRecordedRoom(deps.db, segment.roomId)
    if (room !== undefined) await replaceRecorder(deps, room, { segment, ...why })
  }
}

async function staysAway(
  { media }: WatchDeps,
  { recorder, times: { pauseMs, unreachableMs }, signal }: RecorderWatch,
): Promise<boolean> {
  const endMs = performance.now() + unreachableMs
  do {
    await delay(pauseMs, undefined, { signal })
    if (await media.isReachable(recorder)) return false
  } while (performance.now() < endMs)
  return true
}

async function hasAnother(
  { media }: WatchDeps,
  roomId: string,
  recorder: string,
): Promise<boolean> {
  const others = (await media.recordersInTurn(roomId)).filter((each) => each !== recorder)
  const reached = await Promise.all(others.map((each) => media.isReachable(each)))
  return reached.includes(true)
}
