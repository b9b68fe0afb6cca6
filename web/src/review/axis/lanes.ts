import type { ClipBody } from '@interview-room/contract/clips.ts'
import type {
  RecordingCompletenessBody,
  RecordingTimelineBody,
  TimelineItem,
} from '@interview-room/contract/recording-reports.ts'
import type { CommentBody } from '@interview-room/contract/reviews.ts'

/** The lanes of the axis, from the top. What happened in the interview comes first, and what viewers made of it last. */
export const LANES = [
  'marker',
  'handout',
  'screen',
  'chatPublic',
  'chatPrivate',
  'chatObservers',
  'question',
  'hand',
  'entry',
  'room',
  'break',
  'comment',
  'clip',
] as const
export type Lane = (typeof LANES)[number]

export interface AxisItem {
  id: string
  lane: Lane
  /** Key of the words that say what it is. */
  what: string
  startSec: number
  /** Null for a moment. */
  endSec: number | null
  /** The person whom it is about. */
  who: string | null
  /** The words of the event. */
  note: string | null
  /** Seconds that are missing from the file, for a pause. */
  missingSec: number | null
}

export interface AxisSources {
  timeline: Pick<RecordingTimelineBody, 'segments' | 'items'> | undefined
  completeness: Pick<RecordingCompletenessBody, 'people'> | undefined
  comments: readonly CommentBody[]
  clips: readonly ClipBody[]
  durationSec: number
}

/** Events that begin something, with the ones that end it. Handouts and screens are seen in between. */
const SPANS: Readonly<Record<string, { lane: Lane; ends: readonly string[] }>> = {
  'handout.show': { lane: 'handout', ends: ['handout.show', 'handout.hide'] },
  'screen.started': { lane: 'screen', ends: ['screen.ended'] },
  'hand.raised': { lane: 'hand', ends: ['hand.lowered'] },
}

const MOMENTS: Readonly<Record<string, Lane>> = {
  marker: 'marker',
  'question.added': 'question',
  'participant.entered': 'entry',
  'participant.left': 'entry',
  'participant.banned': 'room',
  'participant.removed': 'room',
  'help.requested': 'room',
  'help.answered': 'room',
  'consent.declined': 'room',
  'consent.withdrawn': 'room',
  'interview.rated': 'room',
  'room.closed': 'room',
}

const CHATS: Readonly<Record<string, Lane>> = {
  public: 'chatPublic',
  private: 'chatPrivate',
  observer_only: 'chatObservers',
}

/** Everything on the axis but the voices, in the order of lanes and times. */
export function itemsOf(sources: AxisSources): AxisItem[] {
  const { timeline, comments, clips } = sources
  const items = [
    ...(timeline === undefined ? [] : eventsOf(timeline.items, sources.durationSec)),
    ...pausesOf(timeline?.segments ?? []),
    ...gapsOf(sources),
    ...comments.flatMap(itemOfComment),
    ...clips.map(itemOfClip),
  ]
  return items.toSorted(
    (one, other) =>
      LANES.indexOf(one.lane) - LANES.indexOf(other.lane) || one.startSec - other.startSec,
  )
}

function eventsOf(events: readonly TimelineItem[], durationSec: number): AxisItem[] {
  return events.flatMap((event, at) => {
    const { type, offset_sec: startSec, payload } = event
    const span = SPANS[type]
    const lane = span?.lane ?? MOMENTS[type] ?? laneOfChat(event)
    // The list of types is open.
    if (lane === undefined) return []
    const end = span && events.slice(at + 1).find((later) => doesEnd(event, later, span.ends))
    const item: AxisItem = {
      id: `event-${at}`,
      lane,
      what: type,
      startSec,
      endSec: span === undefined ? null : (end?.offset_sec ?? durationSec),
      who: textIn(payload, 'display_name'),
      note: firstText(payload, ['note', 'text', 'title', 'file_name']),
      missingSec: null,
    }
    return [item]
  })
}

function laneOfChat({ type, payload }: TimelineItem): Lane | undefined {
  return type === 'chat.message' ? CHATS[textIn(payload, 'visibility') ?? ''] : undefined
}

/** Several people may raise hands or share screens, and each ends their own. */
function doesEnd(begun: TimelineItem, later: TimelineItem, ends: readonly string[]): boolean {
  if (!ends.includes(later.type)) return false
  const [who, other] = [begun, later].map(({ payload }) => textIn(payload, 'participant_id'))
  return who === null || other === null || who === other
}

function firstText(payload: TimelineItem['payload'], names: readonly string[]): string | null {
  return names.map((name) => textIn(payload, name)).find((text) => text !== null) ?? null
}

function textIn(payload: TimelineItem['payload'], name: string): string | null {
  const value = payload?.[name]
  return typeof value === 'string' && value !== '' ? value : null
}

type Segments = RecordingTimelineBody['segments']

/** A pause takes no time in the file. It stands where the file goes on. */
function pausesOf(segments: Segments): AxisItem[] {
  return segments.slice(1).map(({ started_at: startedAt, offset_sec: startSec }, at) => {
    const before = segments[at]
    const pausedMs = Date.parse(startedAt) - Date.parse(before?.ended_at ?? startedAt)
    return {
      id: `pause-${at}`,
      lane: 'break',
      what: 'pause',
      startSec,
      endSec: null,
      who: null,
      note: null,
      missingSec: pausedMs / 1000,
    }
  })
}

function gapsOf({ completeness, timeline }: AxisSources): AxisItem[] {
  const segments = timeline?.segments ?? []
  return (completeness?.people ?? []).flatMap(({ display_name: who, gaps }, person) =>
    gaps.flatMap(({ started_at: startedAt, ended_at: endedAt, reason }, at): AxisItem[] => {
      const startSec = placeOf(startedAt, segments)
      const endSec = placeOf(endedAt, segments)
      if (startSec === undefined || endSec === undefined) return []
      return [
        {
          id: `gap-${person}-${at}`,
          lane: 'break',
          what: `gap.${reason}`,
          startSec,
          endSec: Math.max(endSec, startSec),
          who,
          note: null,
          missingSec: null,
        },
      ]
    }),
  )
}

/** The position in the file of a time. A time in a pause is where the file goes on. */
function placeOf(at: string, segments: Segments): number | undefined {
  const atMs = Date.parse(at)
  const segment = segments.findLast(({ started_at: startedAt }) => Date.parse(startedAt) <= atMs)
  if (segment === undefined) return segments[0]?.offset_sec
  const untilMs = Math.min(atMs, Date.parse(segment.ended_at))
  return segment.offset_sec + (untilMs - Date.parse(segment.started_at)) / 1000
}

/** Answers stand with the comment that they answer, and comments about the whole recording stand nowhere. */
function itemOfComment(comment: CommentBody): AxisItem[] {
  const { id, offset_sec: startSec, end_sec: endSec, viewer, text: note, reply_to } = comment
  if (startSec === null || reply_to !== null) return []
  const what = comment.is_resolved ? 'comment.resolved' : 'comment'
  return [{ id, lane: 'comment', what, startSec, endSec, who: viewer.name, note, missingSec: null }]
}

function itemOfClip({ id, start_sec, end_sec, title, viewer }: ClipBody): AxisItem {
  return {
    id,
    lane: 'clip',
    what: 'clip',
    startSec: start_sec,
    endSec: end_sec,
    who: viewer?.name ?? null,
    note: title,
    missingSec: null,
  }
}
