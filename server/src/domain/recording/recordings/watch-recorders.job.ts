import { setTimeout as delay } from 'node:timers/promises'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { type RepeatingJob, repeatingJob } from '../../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import { decide, type Observation, type Transition } from './decide-segment.ts'
import { observe } from './observe-segment.ts'
import { followRecordingRequest } from './recording-requests.ts'
import { findRecordedRoom } from './running-store.ts'
import { isSilentAtStart } from './segment-limits.ts'
import { listRunningCaptures } from './segment-store.ts'
import { isRunning, type Segment } from './segment.ts'

type WatchDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'log'>

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
      const running = (await listRunningCaptures(deps.db)).filter((each) => isRunning(each))
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

type RunningSegment = Extract<Segment, { status: 'starting' | 'active' }>

interface RecorderWatch {
  recorder: string
  segments: readonly RunningSegment[]
  times: WatchTimes
  signal: AbortSignal
}

async function watch(deps: WatchDeps, watched: RecorderWatch): Promise<void> {
  const { db, media } = deps
  const { recorder, segments } = watched
  if (!(await media.isReachable(recorder))) {
    if (await staysAway(deps, watched)) await replaceElsewhere(deps, watched, 'unreachable')
    return
  }
  const running = await media.listRunning(recorder).catch((error: unknown) => {
    if (!(error instanceof MediaError)) throw error
    return undefined
  })
  if (running === undefined) return replaceElsewhere(deps, watched, 'silent')
  for (const segment of segments) {
    const report = running.get(segment.egressId)
    if (report === undefined) {
      // The room's job asks again, and decides.
      await enqueue(db, followRecordingRequest(segment.roomId))
    } else {
      logLacks(deps, segment, await observeIn(deps, segment, { of: 'life', report }))
    }
  }
}

/** Logs each track once that is switched on and does not come, within ten seconds: the recorder waits five. */
function logLacks({ log }: WatchDeps, before: RunningSegment, transition?: Transition): void {
  if (before.status !== 'active' || transition?.to.status !== 'active') return
  const { roomId, recordingId, absences } = transition.to
  for (const { mediaIdentity: identity, track, reason, fromMs } of absences.slice(
    before.absences.length,
  )) {
    const fields = { roomId, recordingId, identity, track, reason, since: new Date(fromMs) }
    log.warn(fields, 'track of a person is not in the recording')
  }
}

/** Without another recorder, replacing gains nothing: this one may return in a moment and continue what it recorded. */
async function replaceElsewhere(
  deps: WatchDeps,
  { recorder, segments }: Pick<RecorderWatch, 'recorder' | 'segments'>,
  why: 'unreachable' | 'silent',
): Promise<void> {
  for (const segment of segments) {
    const { roomId: room, recordingId, egressId } = segment
    if (why === 'silent' && !isSilentAtStart(segment, deps.clock())) continue
    if (!(await hasAnother(deps, room, recorder))) continue
    const replaced = await observeIn(deps, segment, { of: 'replaceable', why })
    if (replaced === undefined) continue
    deps.log.error({ room, recordingId, egressId, recorder }, ALARMS[why])
  }
}

/** A silent recorder that accepts connections may be a stopped process. One that already writes is judged by its bytes. */
const ALARMS = {
  unreachable: 'ALARM: the recorder of a room cannot be reached',
  silent: 'ALARM: the recorder of a room does not begin, and says nothing',
}

/** Asks the database only if there is a change: most looks, one a second at each segment, find none. */
async function observeIn(
  deps: WatchDeps,
  segment: Segment,
  observation: Observation,
): Promise<Transition | undefined> {
  if (decide(segment, observation, deps.clock()) === undefined) return undefined
  const { id, roomId } = segment
  const room = await findRecordedRoom(deps.db, roomId)
  return room && observe(deps, room, { ref: { id }, observation })
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
