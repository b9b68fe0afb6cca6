import { displayNameOf } from '@interview-room/contract/display-name.ts'
import { DISPLAY_NAME_MAX } from '@interview-room/contract/limits.ts'
import type { Tx } from '../../platform/db/db.ts'
import { uuidv7 } from '../../platform/lib/uuid.ts'
import type { Guest, GuestKind } from '../../platform/ports/media.ts'
import { insertGuest } from './admission-store.ts'
import { type AdmissionForEntry, shareRoomOfAdmission } from './entry-store.ts'

const WORDS: Record<GuestKind, string> = {
  agent: 'agent',
  sip: 'SIP',
  ingress: 'ingress',
  connector: 'connector',
}

interface Arrival {
  roomId: string
  mediaIdentity: string
  guest?: Guest | undefined
}

/** Admits a participant that comes from elsewhere, if the tenant allows its kind. Undefined for everybody else. */
export async function admitGuest(
  tx: Tx,
  { roomId, mediaIdentity, guest }: Arrival,
  admittedAt: Date,
): Promise<AdmissionForEntry | undefined> {
  if (guest === undefined) return undefined
  const displayName = nameOf(guest, mediaIdentity)
  const { kind } = guest
  const admission = { id: uuidv7(), roomId, mediaIdentity, displayName, kind, admittedAt }
  if (!(await insertGuest(tx, admission))) return undefined
  return shareRoomOfAdmission(tx, { roomId, mediaIdentity })
}

/** The name at the provider, or the identity, with the kind: `Note taker (agent)`. */
function nameOf({ kind, name }: Guest, identity: string): string {
  const end = ` (${WORDS[kind]})`
  const short = (text: string) =>
    Array.from(text)
      .slice(0, DISPLAY_NAME_MAX - end.length)
      .join('')
  const known = displayNameOf(short(name)) ?? displayNameOf(short(identity))
  return known === undefined ? WORDS[kind] : `${known}${end}`
}
