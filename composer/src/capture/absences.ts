import path from 'node:path'
import { type CaptureEvent, readCaptureEvents } from './capture-events.ts'
import { lostInStandstills } from './standstills.ts'

/** A time in which nothing was captured, because the recorder was away from the room; in milliseconds since 1970. */
export interface CaptureAbsence {
  fromMs: number
  toMs: number
  /** Set if only one track of this person did not arrive; missing if everybody was affected. */
  identity?: string
  /** The codec of that track, such as `video/VP9`. */
  codec?: string
}

/**
 * The absences of the capture in this folder: time without a connection, time between the last packet of a process and the
 * resumption by another one, time that the storage has lost, time that the machine did not buffer for a process that stood still,
 * and the time of each track in a codec that is not captured. `ends`: the end of each chunk, by the clock of the capture. A capture
 * without events has no absences.
 */
export async function readAbsences(
  folder: string,
  ends: readonly number[],
): Promise<CaptureAbsence[]> {
  const events: CaptureEvent[] = await readCaptureEvents(path.join(folder, 'facts.jsonl')).catch(
    () => [],
  )
  const begins = events.filter(({ fact }) => fact === 'active').map(({ atMs }) => atMs)
  const ofEverybody = events.flatMap((event): CaptureAbsence[] => {
    const { fact, atMs: toMs } = event
    if (fact === 'missed') return [{ fromMs: event.sinceMs, toMs }]
    const before = [...begins, ...ends].filter((beforeMs) => beforeMs <= toMs)
    if (fact !== 'resumed' || before.length === 0) return []
    return [{ fromMs: Math.max(...before), toMs }]
  })
  const lost = await lostInStandstills(folder, events)
  return [...ofEverybody, ...lost, ...uncapturedTracks(events, Math.max(0, ...ends))]
}

/** A track, and the time since when it is sent but does not arrive. */
interface SentTrack {
  identity: string | undefined
  isMuted: boolean
  codec: string | undefined
  sinceMs: number | undefined
}

function uncapturedTracks(events: readonly CaptureEvent[], endMs: number): CaptureAbsence[] {
  const found: CaptureAbsence[] = []
  const identities = new Map<string, string | undefined>()
  const tracks = new Map<string, SentTrack>()

  function close({ identity, codec, sinceMs }: SentTrack, toMs: number): void {
    if (sinceMs === undefined || codec === undefined || toMs <= sinceMs) return
    found.push({ fromMs: sinceMs, toMs, codec, ...(identity !== undefined && { identity }) })
  }

  function change(sid: string, to: Partial<SentTrack>, atMs: number): void {
    const track = tracks.get(sid)
    if (track === undefined) return
    const next = { ...track, ...to }
    const isMissing = next.codec !== undefined && !next.isMuted
    if (!isMissing) close(track, atMs)
    tracks.set(sid, { ...next, sinceMs: isMissing ? (track.sinceMs ?? atMs) : undefined })
  }

  for (const event of events) {
    const { atMs } = event
    switch (event.fact) {
      case 'joined':
        identities.set(event.participant, event.identity)
        break
      case 'published': {
        const { participant, track, isMuted } = event
        const identity = identities.get(participant)
        tracks.set(track, { identity, isMuted, codec: undefined, sinceMs: undefined })
        break
      }
      case 'muted':
      case 'unmuted':
        change(event.track, { isMuted: event.fact === 'muted' }, atMs)
        break
      case 'unrecordable':
        change(event.track, { codec: event.codec }, atMs)
        break
      case 'recordable':
        change(event.track, { codec: undefined }, atMs)
        break
      case 'unpublished':
        change(event.track, { codec: undefined }, atMs)
        tracks.delete(event.track)
        break
      case 'resumed':
      case 'stopped':
        for (const sid of tracks.keys()) change(sid, { codec: undefined }, atMs)
        break
      case 'active':
      case 'layout':
      case 'left':
      case 'missed':
      case 'renamed':
      case 'snapshot':
      case 'stood_still':
    }
  }
  for (const track of tracks.values()) close(track, endMs)
  return found
}
