import type { GuestKind } from './media.ts'

type Kind = 'person' | 'recorder' | 'unknown' | GuestKind

/** LiveKit's kinds, by name and number. */
const KINDS: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>(
  (
    [
      ['STANDARD', 0, 'person'],
      ['INGRESS', 1, 'ingress'],
      ['EGRESS', 2, 'recorder'],
      ['SIP', 3, 'sip'],
      ['AGENT', 4, 'agent'],
      ['CONNECTOR', 7, 'connector'],
    ] as const
  ).flatMap(([name, number, kind]) => [[name, kind] as const, [number, kind] as const]),
)

interface KnownParticipant {
  /** In LiveKit's words or numbers; undefined for the first. */
  kind: unknown
  /** In LiveKit's words. */
  permission: { hidden?: unknown; recorder?: unknown; agent?: unknown } | undefined
}

/** Permissions mark recorders and agents of old clients. */
function participantKindOf({ kind, permission }: KnownParticipant): Kind {
  if (permission?.recorder === true) return 'recorder'
  const known = KINDS.get(kind ?? 'STANDARD') ?? 'unknown'
  if (known === 'person' && permission?.agent === true) return 'agent'
  // Hidden people join as agents, but without the agent permission: see join-token.ts.
  const isHiddenPerson = permission?.hidden === true && permission.agent !== true
  return known === 'agent' && isHiddenPerson ? 'person' : known
}

/** Tells recorders, people and guests of the provider apart, as a connection names them. */
export function connectionKindOf({ name, ...participant }: KnownParticipant & { name: string }) {
  const kind = participantKindOf(participant)
  const isGuest = kind !== 'person' && kind !== 'recorder' && kind !== 'unknown'
  return { isPerson: kind !== 'recorder', guest: isGuest ? { kind, name } : undefined }
}
