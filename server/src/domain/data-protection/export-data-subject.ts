import type { ExportedRoomBody } from '@interview-room/contract/data-protection.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { PageRequest } from '../../platform/ports/paging.ts'
import { listMessages } from '../chat/list-messages.ts'
import { presentMessage } from '../chat/present.ts'
import { presentConnectionTest } from '../connection-tests/present.ts'
import { readConnectionTest } from '../connection-tests/read-connection-tests.ts'
import type { KeptAdmission } from '../people/admission-store.ts'
import { presentEntryHistory } from '../people/present-entry.ts'
import { presentParticipant } from '../people/present-participant.ts'
import { listAdmissionsOf, listEntries, listParticipantsOf } from '../people/read-people.ts'
import { readTextsOf } from '../recording/live-text/read-live-texts.ts'
import { presentRoomEvent } from '../room-log/present-room-event.ts'
import { listRoomEvents } from '../room-log/read-logs.ts'
import type { DataSubject, RoomOfPerson } from './erasure.ts'
import { findPersonInRoom, listRoomsOf } from './subject-store.ts'

type ExportDeps = Pick<Deps, 'db' | 'storage' | 'config' | 'clock'>

/** Rows read by one statement. */
const ROWS_AT_ONCE = 500

/** The person's rooms after `after`, by room id. Reads one more than the limit to see whether there are more. */
export async function listRoomsToExport(
  { db }: Pick<Deps, 'db'>,
  subject: DataSubject,
  { after = '', limit }: PageRequest,
): Promise<RoomOfPerson[]> {
  const rooms = await listRoomsOf(db, subject)
  return rooms.filter(({ roomId }) => roomId > after).slice(0, limit + 1)
}

/** The stored data of a person in all rooms. */
export async function exportDataSubject(
  deps: ExportDeps,
  subject: DataSubject,
): Promise<ExportedRoomBody[]> {
  return exportRooms(deps, subject, await listRoomsOf(deps.db, subject))
}

/** The stored data of a person in these rooms, one room after the other. */
export async function exportRooms(
  deps: ExportDeps,
  subject: DataSubject,
  rooms: readonly RoomOfPerson[],
): Promise<ExportedRoomBody[]> {
  const exported: ExportedRoomBody[] = []
  for (const room of rooms) exported.push(await exportRoom(deps, subject, room))
  return exported
}

async function exportRoom(
  deps: ExportDeps,
  subject: DataSubject,
  { roomId, connectionTestId }: RoomOfPerson,
): Promise<ExportedRoomBody> {
  const { db } = deps
  const { tenantId, externalType, externalId } = subject
  const person = { kind: 'external', externalType, externalId } as const
  const { participantIds, recordingIds } = await findPersonInRoom(db, subject, roomId)
  const theirs = { roomId, participantIds }
  const test =
    connectionTestId === null
      ? null
      : await readConnectionTest(db, { tenantId, connectionTestId }, deps.clock())
  return {
    room_id: roomId,
    participants: (await listParticipantsOf(db, roomId, person)).map(presentParticipant),
    entries: (
      await listAll((page) => listEntries(db, { ...theirs, role: undefined, ...page }))
    ).map(presentEntryHistory),
    admissions: (await listAdmissionsOf(db, theirs)).map(presentAdmission),
    chat_messages: (
      await listAll((page) => listMessages(deps, { ...theirs, visibility: undefined, ...page }))
    ).map(presentMessage),
    room_events: (
      await listAll((page) =>
        listRoomEvents(db, { roomId, eventType: undefined, about: participantIds, ...page }),
      )
    ).map(presentRoomEvent),
    live_texts: await readTextsOf(db, { roomId, identities: participantIds }),
    recording_ids: recordingIds,
    connection_test: test && presentConnectionTest(test, deps.config),
  }
}

/** Every row of a paged list. */
async function listAll<T extends { seq: bigint }>(
  list: (page: PageRequest) => Promise<readonly T[]>,
): Promise<T[]> {
  const rows: T[] = []
  for (let after: string | undefined; ;) {
    const page = await list({ after, limit: ROWS_AT_ONCE })
    rows.push(...page.slice(0, ROWS_AT_ONCE))
    if (page.length <= ROWS_AT_ONCE) return rows
    after = String(rows.at(-1)?.seq)
  }
}

function presentAdmission(admission: KeptAdmission): ExportedRoomBody['admissions'][number] {
  return {
    role: admission.role,
    display_name: admission.displayName,
    token_id: admission.tokenId,
    browser_name: admission.browserName,
    browser_version: admission.browserVersion,
    platform_name: admission.platformName,
    platform_version: admission.platformVersion,
    ip_address: admission.ipAddress,
    admitted_at: admission.admittedAt.toISOString(),
  }
}
