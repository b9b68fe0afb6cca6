import { CLIPS_MAX, COMMENTS_MAX, REELS_MAX } from '@interview-room/contract/limits.ts'
import type {
  RecordingTimelineBody,
  TimelineItem,
} from '@interview-room/contract/recording-reports.ts'
import type { Query } from '../../../platform/db/db.ts'
import { listClips, listReels } from '../clips/read-clips.ts'
import { presentSegment, presentTimelineItem } from '../recordings/present-report.ts'
import type { Recording } from '../recordings/recording.ts'
import { readReport } from '../recordings/report-completeness.ts'
import { listTimeline, placesOf, positionOf } from '../recordings/timeline.ts'
import { listComments } from '../reviews/comments.ts'
import { clockOf, csvOf } from './csv.ts'

/** Items read by one statement. */
const ITEMS_AT_ONCE = 1000

const clockOrNull = (sec: number | null) => (sec === null ? null : clockOf(sec))

export async function commentsCsv(query: Query, recordingId: string): Promise<string> {
  const comments = await listComments(query, { recordingId, after: undefined, limit: COMMENTS_MAX })
  return csvOf(
    ['id', 'reply_to', 'time', 'offset_sec', 'end_sec', 'author', 'text', 'resolved', 'created_at'],
    comments.map((comment) => [
      comment.id,
      comment.replyTo,
      clockOrNull(comment.offsetSec),
      comment.offsetSec,
      comment.endSec,
      comment.viewerName,
      comment.text,
      comment.resolvedAt !== null,
      comment.createdAt.toISOString(),
    ]),
  )
}

export async function clipsCsv(query: Query, recordingId: string): Promise<string> {
  const clips = await listClips(query, { recordingId, after: undefined, limit: CLIPS_MAX })
  return csvOf(
    ['id', 'time', 'start_sec', 'end_sec', 'title', 'tags', 'author', 'status', 'created_at'],
    clips.map((clip) => [
      clip.id,
      clockOf(clip.startSec),
      clip.startSec,
      clip.endSec,
      clip.title,
      clip.tags.join('; '),
      clip.viewerName,
      clip.status,
      clip.createdAt.toISOString(),
    ]),
  )
}

/** The reels that show this recording and nothing else. */
export async function reelsCsv(query: Query, { id, roomId }: Recording): Promise<string> {
  const page = { roomId, recordingId: id, after: undefined, limit: REELS_MAX }
  const reels = await listReels(query, page)
  return csvOf(
    ['id', 'title', 'clip_ids', 'duration_sec', 'author', 'status', 'created_at'],
    reels.map(({ reel, ...file }) => [
      file.id,
      file.title,
      reel.parts.map(({ clipId }) => clipId).join('; '),
      file.durationSec,
      file.viewerName,
      file.status,
      file.createdAt.toISOString(),
    ]),
  )
}

export function markersCsv(timeline: WholeTimeline): string {
  const markers = timeline.items.filter(({ type }) => type === 'marker')
  return csvOf(
    ['time', 'offset_sec', 'author', 'note', 'at'],
    markers.map(({ offset_sec: offsetSec, at, payload }) => [
      clockOf(offsetSec),
      offsetSec,
      textOf(payload, 'display_name'),
      textOf(payload, 'note'),
      at,
    ]),
  )
}

function textOf(payload: TimelineItem['payload'], name: string): string | null {
  const value = payload?.[name]
  return typeof value === 'string' ? value : null
}

export type WholeTimeline = Pick<RecordingTimelineBody, 'segments' | 'items'>

/** All of the timeline that this reader may see. */
export async function readTimeline(
  query: Query,
  recording: Recording,
  { reader, now }: { reader: 'staff' | 'watcher'; now: Date },
): Promise<WholeTimeline> {
  const { segments } = await readReport(query, recording, now)
  const places = placesOf(recording.outputMode, segments)
  const items: TimelineItem[] = []
  let after: string | undefined
  do {
    const request = { places, reader, after, limit: ITEMS_AT_ONCE }
    const page = (await listTimeline(query, recording, request)).slice(0, ITEMS_AT_ONCE)
    items.push(...page.map((item) => presentTimelineItem(item)))
    const last = page.length < ITEMS_AT_ONCE ? undefined : page.at(-1)
    after = last && positionOf(last)
  } while (after !== undefined)
  return { segments: places.map((place) => presentSegment(place)), items }
}
