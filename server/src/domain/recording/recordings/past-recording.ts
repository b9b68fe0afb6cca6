import type { Activity } from '@interview-room/composer/activity.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { sendArchiveStatus } from '../../chat/send-archive-status.ts'
import { nextRoomMoment } from '../../room-log/room-clock.ts'
import type { LockedRoomKey } from '../../room-log/room-lock.ts'
import { upsertActivities } from './activity-store.ts'
import { type RecordingMove, moveRecording, publishStatusChange } from './move-recording.ts'
import { beginInterval, endInterval, insertReport, type RecordingReport } from './report-store.ts'
import { insertIntention, publishIntention, setStopped } from './running-store.ts'
import type { Span } from './spans.ts'
import { findLockedRecording, type RecordingFile } from './store.ts'

/** A recording whose file exists already, and that no recorder writes. */
interface PastRecording {
  id: string
  /** The recorded times, in order. */
  spans: readonly Span[]
}

interface Step {
  atMs: number
  act: () => Promise<void>
}

/** The steps of a moderator who records, in a locked room: start, pause, resume and stop. */
export function recordingSteps(tx: Tx, room: LockedRoomKey, { id, spans }: PastRecording): Step[] {
  const move = async (move: RecordingMove, at: Date) => {
    const recording = await findLockedRecording(tx, room, id)
    if (recording !== undefined) await moveRecording(tx, recording, { ...move, at })
  }
  return spans.flatMap(({ fromMs, toMs }, index) => {
    const [from, to] = [new Date(fromMs), new Date(toMs)]
    const isLast = index === spans.length - 1
    const begin = async () => {
      if (index === 0) await start(tx, room, { id, at: from })
      else await move({ to: 'started' }, from)
      await beginInterval(tx, id, from)
    }
    const end = async () => {
      await endInterval(tx, id, to)
      if (isLast) await setStopped(tx, { id, reason: 'moderator', at: to })
      await move(isLast ? { to: 'stopped', reason: 'moderator' } : { to: 'paused' }, to)
    }
    return [
      { atMs: fromMs, act: begin },
      { atMs: toMs, act: end },
    ]
  })
}

async function start(
  tx: Tx,
  room: LockedRoomKey,
  { id, at }: { id: string; at: Date },
): Promise<void> {
  const { seq } = await nextRoomMoment(tx, room)
  const { tenantId, roomId } = room
  const recording = { id, tenantId, roomId, seq, outputMode: 'composed', isAutomatic: false, at }
  await insertIntention(tx, { ...recording, outputMode: 'composed' })
  await publishIntention(tx, { id, egressId: `past-${id}`, seq, at })
  const change = { to: 'started', from: null, failureReason: null, version: 1, at } as const
  await publishStatusChange(tx, { id, ...room }, change)
  await sendArchiveStatus(tx, room, 'started')
}

interface Result {
  file: RecordingFile
  report: RecordingReport
  activities: readonly Activity[]
  at: Date
}

/** Makes a stopped recording available with its file. */
export async function completeRecording(
  tx: Tx,
  room: LockedRoomKey,
  { id, file, report, activities, at }: Result & { id: string },
): Promise<void> {
  await insertReport(tx, id, { ...report, at })
  await upsertActivities(tx, id, activities)
  for (const move of [{ to: 'uploaded', file }, { to: 'available' }] as const) {
    const recording = await findLockedRecording(tx, room, id)
    if (recording !== undefined) await moveRecording(tx, recording, { ...move, at })
  }
}
