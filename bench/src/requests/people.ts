import { AS_BY_DEFAULT } from '@interview-room/e2e/src/harness/tenant.ts'
import { createClient } from '@interview-room/sdk/client.ts'
import type { Db } from '@interview-room/server/src/platform/db/db.ts'
import type { BenchTenant } from '../tenant.ts'

/** Enough rooms that no person exceeds the default messages per minute. */
const ROOMS = 200
/** Everybody has entered before, and each entry replaces the one before, as when a page is loaded again. */
const PEOPLE = 800
const SAMPLE = 'the sample person'

/** A person in a room. */
export interface Person {
  roomId: string
  externalId: string
  participantId: string
  admissionId: string
  token: string
  ticket: string
}

export interface People {
  /** One in each room. */
  moderators: Person[]
  /** One in each room. */
  panelists: Person[]
  /** They enter again and again. */
  visitors: Person[]
  /** The one whose requests are recorded, in each of these three parts. */
  samples: { moderator: Person; panelist: Person; visitor: Person }
}

type Enter = (roomId: string, role: string, externalId: string) => Promise<Person>

export async function bringPeople(tenant: BenchTenant, port: number): Promise<People> {
  const enter: Enter = (...who) => bring(tenant, port, who)
  const people: Omit<People, 'samples'> = { moderators: [], panelists: [], visitors: [] }
  let roomId = ''
  for (let n = 0; n < ROOMS; n += 1) {
    roomId = (await tenant.caller.book({ room: AS_BY_DEFAULT })).id
    people.moderators.push(await enter(roomId, 'moderator', `moderator ${n}`))
    people.panelists.push(await enter(roomId, 'panelist', `panelist ${n}`))
    for (let m = 0; m < PEOPLE / ROOMS; m += 1) {
      people.visitors.push(await enter(roomId, 'panelist', `visitor ${n} ${m}`))
    }
  }
  const samples = {
    moderator: await enter(roomId, 'moderator', `${SAMPLE}, a moderator`),
    panelist: await enter(roomId, 'panelist', `${SAMPLE}, a panelist`),
    visitor: await enter(roomId, 'panelist', SAMPLE),
  }
  return { ...people, samples }
}

async function bring(
  { signer }: BenchTenant,
  port: number,
  [roomId, role, externalId]: Parameters<Enter>,
): Promise<Person> {
  const token = await signer.signToken({ roomId, role, externalId, name: 'Person' })
  const visitor = createClient({
    baseUrl: `http://127.0.0.1:${port}`,
    authorization: `Bearer ${token}`,
  })
  const { ticket, participant } = await visitor.enterRoom({ params: { room_id: roomId } })
  const claims = Buffer.from(ticket.split('.')[1] ?? '', 'base64url').toString('utf8')
  const { admission } = JSON.parse(claims) as { admission: string }
  return {
    roomId,
    externalId,
    participantId: participant.id ?? '',
    admissionId: admission,
    token: `Bearer ${token}`,
    ticket: `Bearer ${ticket}`,
  }
}

/** Opens an entry for everybody in this role, as if the provider had reported their connections. */
export async function openEntries(db: Db, role: string): Promise<void> {
  await db`
    insert into entry_histories (tenant_id, room_id, seq, participant_id, media_identity, media_sid,
                                 name, role, entered_at)
    select tenant_id, room_id, -row_number() over (), participant_id, media_identity, id::text,
           display_name, role, admitted_at
      from admissions
     where role = ${role}
  `
}
