import { isUuid } from '../../platform/lib/uuid.ts'
import type { Egress } from '../../platform/ports/egress.ts'
import { type Guest, isMaskIdentity } from '../../platform/ports/media.ts'
import { connectionKindOf } from '../../platform/ports/participant-kind.ts'
import { readEgress } from '../../platform/ports/read-egress.ts'
import { isReportedName, readReportedTime } from '../../platform/ports/reported-values.ts'

/** A person's connection, as a notification reports it. */
export interface NotifiedConnection {
  identity: string
  sid: string
  joinedAt: Date
  /** False for recorders. */
  isPerson: boolean
  guest: Guest | undefined
}

/** A track of a person's connection. */
interface NotifiedTrack {
  trackSid: string
  mediaSid: string
  isPublished: boolean
  /** Set for the picture of a shared screen: who shares it. */
  sharedBy: string | undefined
}

/** The notifications that the service acts on. All others are stored and ignored. */
export type Notification =
  | { event: 'room_started' | 'room_finished'; roomId: string }
  | {
      event: 'participant_joined' | 'participant_left'
      roomId: string
      connection: NotifiedConnection
    }
  /** A person starts or stops publishing a track. */
  | { event: 'tracks_changed'; roomId: string; track: NotifiedTrack | undefined }
  | { event: 'egress_changed'; roomId: string; egress: Egress }
  | { event: 'other' }

/** The columns of the inbox besides the raw body. */
export interface NotificationEnvelope {
  id: string
  event: string
  mediaRoom: string | null
}

type Members = Record<string, unknown>

const OTHER = { event: 'other' } as const
const OF_TRACKS = new Set<unknown>(['track_published', 'track_unpublished'])
const OF_EGRESS = new Set<unknown>(['egress_started', 'egress_updated', 'egress_ended'])

/** Returns undefined when the body is not a notification. `isOfMask`: it reports a connection of the service itself. */
export function readEnvelope(
  body: string,
): (NotificationEnvelope & { isOfMask: boolean }) | undefined {
  const { id, event, room, participant, egressInfo } = parse(body)
  const isEnvelope = isReportedName(id) && isReportedName(event)
  if (!isEnvelope) return undefined
  const name = membersOf(room)['name'] ?? membersOf(egressInfo)['roomName']
  return {
    id,
    event,
    mediaRoom: isReportedName(name) ? name : null,
    isOfMask: isMaskIdentity(membersOf(participant)['identity']),
  }
}

/** Parses the stored body. Members with default values may be absent, and are read as their default. */
export function readNotification(body: string): Notification {
  const { event, room, participant, track, egressInfo } = parse(body)
  if (OF_EGRESS.has(event)) return egressOf(egressInfo)
  const roomId = membersOf(room)['name']
  // The service names a media room by its room's id. Other media rooms are ignored.
  if (typeof roomId !== 'string' || !isUuid(roomId)) return OTHER
  if (OF_TRACKS.has(event)) {
    const isPublished = event === 'track_published'
    return { event: 'tracks_changed', roomId, track: trackOf(participant, track, isPublished) }
  }
  if (event === 'room_started' || event === 'room_finished') return { event, roomId }
  if (event !== 'participant_joined' && event !== 'participant_left') return OTHER
  const connection = connectionOf(membersOf(participant))
  return connection === undefined ? OTHER : { event, roomId, connection }
}

function egressOf(info: unknown): Notification {
  const egress = readEgress(info)
  if (egress === undefined || !isUuid(egress.mediaRoom)) return OTHER
  return { event: 'egress_changed', roomId: egress.mediaRoom, egress }
}

function trackOf(
  participant: unknown,
  track: unknown,
  isPublished: boolean,
): NotifiedTrack | undefined {
  const { sid: mediaSid, identity } = membersOf(participant)
  const { sid: trackSid, source } = membersOf(track)
  if (!isReportedName(mediaSid) || !isReportedName(trackSid)) return undefined
  const isScreen = source === 'SCREEN_SHARE' && isReportedName(identity)
  return { trackSid, mediaSid, isPublished, sharedBy: isScreen ? identity : undefined }
}

function connectionOf({
  identity,
  sid,
  name,
  kind,
  joinedAt,
  joinedAtMs,
  permission,
}: Members): NotifiedConnection | undefined {
  const joinedMs = Number(joinedAtMs ?? 0) || Number(joinedAt ?? 0) * 1000
  const joined = readReportedTime(joinedMs)
  if (!isReportedName(identity) || !isReportedName(sid) || joined === undefined) return undefined
  const known = {
    kind,
    name: typeof name === 'string' ? name : '',
    permission: membersOf(permission),
  }
  return { identity, sid, joinedAt: joined, ...connectionKindOf(known) }
}

function parse(body: string): Members {
  try {
    return membersOf(JSON.parse(body))
  } catch {
    return {}
  }
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}
