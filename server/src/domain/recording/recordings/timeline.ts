import { type TimelineType, WATCHED_FIELDS } from '@interview-room/contract/room-events.ts'
import type { OutputMode } from '@interview-room/contract/vocabulary.ts'
import type { Query } from '../../../platform/db/db.ts'
import type { PageRequest } from '../../../platform/ports/paging.ts'
import { listEventsBetween } from '../../room-log/read-logs.ts'
import type { MomentOfRoom } from '../../room-log/room-event-store.ts'
import type { Recording } from './recording.ts'
import type { RecordedSpan } from './spans.ts'

/** A span of a recording, with its position in the file. */
export interface PlacedSpan extends RecordedSpan {
  offsetSec: number
}

/** The position of each span in the file. A composed file leaves out pauses, an individual one keeps them. */
export function placesOf(outputMode: OutputMode, segments: readonly RecordedSpan[]): PlacedSpan[] {
  const [first] = segments
  if (first === undefined) return []
  let recordedMs = 0
  return segments.map((span) => {
    const offsetMs = outputMode === 'composed' ? recordedMs : span.fromMs - first.fromMs
    recordedMs += span.toMs - span.fromMs
    return { ...span, offsetSec: offsetMs / 1000 }
  })
}

/** A seek to so much before the end of a part shows its last frame, and not the first one of the next. */
const SHOWN_MS = 10

const endMsOf = ({ toMs, untilMs = toMs }: RecordedSpan) => untilMs

/**
 * Seconds from the start of the file. Returns undefined for a time when nothing was recorded. A moment between the end of the
 * last frame and the command to end is in that frame.
 */
function offsetSecOf(places: readonly PlacedSpan[], at: Date): number | undefined {
  const atMs = at.getTime()
  const place = places.find((each) => atMs >= each.fromMs && atMs <= endMsOf(each))
  if (place === undefined) return undefined
  const inFileMs = atMs < place.toMs ? atMs : Math.max(place.fromMs, place.toMs - SHOWN_MS)
  return place.offsetSec + (inFileMs - place.fromMs) / 1000
}

export interface PlacedEvent {
  event: MomentOfRoom
  offsetSec: number
}

/** The tenant's key and viewers who may `staff` read everything; others who `watch` read what the contract lists for them. */
type TimelineReader = 'staff' | 'watcher'

interface TimelineRequest extends PageRequest {
  places: readonly PlacedSpan[]
  reader: TimelineReader
}

const WATCHED_TYPES = Object.keys(WATCHED_FIELDS) as TimelineType[]

export function positionOf({ event: { at, seq } }: PlacedEvent): string {
  return `${at.toISOString()} ${seq}`
}

function readPosition(position: string): Pick<MomentOfRoom, 'at' | 'seq'> {
  const [at = '', seq = ''] = position.split(' ')
  return { at: new Date(at), seq: BigInt(seq) }
}

/**
 * The room events within the recording, oldest first. Reads one more than the limit. A marker is placed at its moment, not
 * at the time of posting.
 */
export async function listTimeline(
  query: Query,
  { roomId }: Pick<Recording, 'roomId'>,
  { places, reader, after, limit }: TimelineRequest,
): Promise<PlacedEvent[]> {
  const behind = after === undefined ? undefined : readPosition(after)
  const types = reader === 'staff' ? undefined : WATCHED_TYPES
  const spans = places.map((each) => ({ fromMs: each.fromMs, toMs: endMsOf(each) }))
  const request = { roomId, spans, types, after: behind, limit }
  const events = await listEventsBetween(query, request)
  return events.flatMap((event) => {
    const offsetSec = offsetSecOf(places, event.at)
    if (offsetSec === undefined) return []
    return [{ event: reader === 'staff' ? event : watchedPartOf(event), offsetSec }]
  })
}

function watchedPartOf(event: MomentOfRoom): MomentOfRoom {
  const fields: readonly string[] = WATCHED_FIELDS[event.eventType as keyof typeof WATCHED_FIELDS]
  const members = Object.entries(event.payload ?? {}).filter(([name]) => fields.includes(name))
  return { ...event, payload: members.length === 0 ? null : Object.fromEntries(members) }
}
