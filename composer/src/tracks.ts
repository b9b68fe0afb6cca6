import type { CaptureEvent, TrackRole } from './capture/capture-events.ts'
import { type Span, union } from './spans.ts'

/** A time in which nothing of a track could be captured. */
interface Uncaptured extends Span {
  reason: 'encrypted' | 'codec_unsupported'
  codec?: string
}

/** A track over the whole capture. */
export interface SentTrack {
  track: string
  participant: string
  identity: string | undefined
  role: TrackRole
  publishedMs: number
  /** Null until the end of the capture. */
  unpublishedMs: number | null
  /** The times while it was switched on and could be captured. */
  sent: readonly Span[]
  uncaptured: readonly Uncaptured[]
}

type Stretch = Uncaptured | (Span & { reason: 'sent' })

interface OpenTrack extends Omit<SentTrack, 'sent' | 'uncaptured'> {
  isMuted: boolean
  isEncrypted: boolean
  codec: string | undefined
  sinceMs: number
  stretches: Stretch[]
}

/** Reads the tracks from the events of a capture. Times before its beginning are left out. */
export function tracksOf(
  events: readonly CaptureEvent[],
  { startMs, endMs }: { startMs: number; endMs: number },
): SentTrack[] {
  const identities = new Map<string, string | undefined>()
  const tracks = new Map<string, OpenTrack>()

  function change(track: OpenTrack | undefined, to: Partial<OpenTrack>, atMs: number): void {
    if (track === undefined) return
    const [fromMs, toMs] = [Math.max(startMs, track.sinceMs), Math.min(endMs, atMs)]
    if (!track.isMuted && track.unpublishedMs === null && fromMs < toMs) {
      track.stretches.push({ fromMs, toMs, ...kindOf(track) })
    }
    Object.assign(track, to, { sinceMs: atMs })
  }

  for (const event of events) {
    const { atMs } = event
    switch (event.fact) {
      case 'joined':
        identities.set(event.participant, event.identity)
        break
      case 'published': {
        const { track, participant, role, isMuted, isEncrypted = false } = event
        const known = tracks.get(track)
        const state = { isMuted, isEncrypted, codec: undefined, unpublishedMs: null }
        if (known === undefined) {
          const identity = identities.get(participant)
          const own = { track, participant, identity, role, publishedMs: atMs, stretches: [] }
          tracks.set(track, { ...own, ...state, sinceMs: atMs })
        } else change(known, state, atMs)
        break
      }
      case 'muted':
      case 'unmuted':
        change(tracks.get(event.track), { isMuted: event.fact === 'muted' }, atMs)
        break
      case 'unrecordable':
        change(tracks.get(event.track), { codec: event.codec }, atMs)
        break
      case 'recordable':
        change(tracks.get(event.track), { codec: undefined }, atMs)
        break
      case 'unpublished':
        change(tracks.get(event.track), { unpublishedMs: atMs }, atMs)
        break
      // Everything that is still there is published again.
      case 'resumed':
        for (const track of tracks.values()) change(track, { unpublishedMs: atMs }, atMs)
        break
      case 'active':
      case 'layout':
      case 'left':
      case 'missed':
      case 'renamed':
      case 'snapshot':
      case 'stood_still':
      case 'stopped':
    }
  }
  return [...tracks.values()].map((track) => {
    change(track, {}, endMs)
    const { stretches, isMuted: _, isEncrypted: __, codec: ___, sinceMs: ____, ...own } = track
    return {
      ...own,
      sent: union(stretches.filter(({ reason }) => reason === 'sent')),
      uncaptured: stretches.filter((stretch) => stretch.reason !== 'sent'),
    }
  })
}

function kindOf({ isEncrypted, codec }: OpenTrack) {
  if (isEncrypted) return { reason: 'encrypted' as const }
  if (codec !== undefined) return { reason: 'codec_unsupported' as const, codec }
  return { reason: 'sent' as const }
}
