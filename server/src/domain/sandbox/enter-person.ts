import { randomUUID } from 'node:crypto'
import type { ConsentAnswer, Role } from '@interview-room/contract/vocabulary.ts'
import { CONSENT_PURPOSES } from '@interview-room/contract/vocabulary.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { connect, disconnect } from '../../platform/sandbox/simulated-people.ts'
import { requireSandbox } from '../../platform/sandbox/simulation.ts'
import { mediaRoomSpec } from '../booking/media-room.ts'
import { readRoom } from '../booking/read-bookings.ts'
import { takeSimulated } from '../notifications/take-notification.ts'
import { admitParticipant, type GrantedAdmission, holderOf } from '../people/admit.ts'
import { confirmConnection } from '../people/confirm-connection.ts'
import type { TicketHolder } from '../people/ticket.ts'
import { answerConsent } from '../recording/recordings/answer-consent.ts'
import type { RoomKey } from '../room-log/room-lock.ts'

export interface NewPerson {
  role: Role
  displayName: string
  externalType: string
  externalId: string
  /** Sends audio and video if the role may. */
  isPublishing: boolean
  consent: Extract<ConsentAnswer, 'given' | 'declined'>
}

type EnterDeps = Pick<Deps, 'db' | 'media' | 'clock'>

/** Device and address of a simulated person, as a page would report them. */
export const ORIGIN = {
  device: {
    browserName: 'Simulated',
    browserVersion: null,
    platformName: null,
    platformVersion: null,
  },
  ipAddress: null,
}

/**
 * Admits a simulated person as a participant token would, and connects them to the simulated media.
 * Throws 404 NOT_FOUND for a real tenant and a room that is not theirs, and the refusals of an entry.
 */
export async function enterPerson(
  deps: EnterDeps,
  key: RoomKey,
  person: NewPerson,
): Promise<TicketHolder> {
  const { db, media, clock } = deps
  await requireSandbox(db, key.tenantId)
  await readRoom(db, key)
  const { role, displayName, externalType, externalId } = person
  const identity = { kind: 'external', externalType, externalId } as const
  const claims = { ...key, identity, role, displayName, jti: randomUUID() }
  const entry = { origin: ORIGIN, alsoRead: async () => {} }
  const granted = await admitParticipant({ db, clock }, claims, entry)
  await media.ensureRoom(mediaRoomSpec(granted.room, clock()))
  const holder = holderOf(granted)
  await answerAll(deps, granted, holder, person.consent)
  const mediaSid = await inTransaction(db, (tx) =>
    connect(tx, {
      mediaRoom: key.roomId,
      identity: holder.mediaIdentity,
      joinedAt: clock(),
      isPublishing: person.isPublishing,
      notify: takeSimulated,
    }),
  )
  // As the page of a real person reports it: the entry is there when the answer is.
  await confirmConnection(deps, { ...holder, mediaSid })
  return holder
}

async function answerAll(
  { db, clock }: EnterDeps,
  granted: GrantedAdmission,
  holder: TicketHolder,
  answer: NewPerson['consent'],
): Promise<void> {
  for (const purpose of CONSENT_PURPOSES) {
    if (granted.consents[purpose] !== 'pending') continue
    const event = { event_type: `consent.${answer}`, payload: { purpose } } as const
    await inTransaction(db, (tx) => answerConsent(tx, { clock, holder, event }))
  }
}

/** Ends the connection. Throws 404 NOT_FOUND for a real tenant and for a person who is not connected. */
export async function removePerson(
  { db }: Pick<Deps, 'db'>,
  key: RoomKey,
  identity: string,
): Promise<void> {
  await requireSandbox(db, key.tenantId)
  await readRoom(db, key)
  const whose = { mediaRoom: key.roomId, identity }
  const wasConnected = await inTransaction(db, (tx) => disconnect(tx, whose, takeSimulated))
  if (!wasConnected) throw new ServiceError('NOT_FOUND')
}
