import type { ErasedCounts } from '@interview-room/contract/data-protection.ts'
import { inTransaction, type Tx } from '../../platform/db/db.ts'
import { deleteJobsOf } from '../../platform/jobs/enqueue.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { eraseEvents } from '../../platform/webhooks/erase-events.ts'
import { lockHolds } from '../booking/lock-holds.ts'
import { lockRoom } from '../booking/lock-room.ts'
import { eraseMessages } from '../chat/erase-messages.ts'
import { eraseConnectionTest } from '../connection-tests/erase-connection-test-store.ts'
import { eraseNotifications } from '../notifications/erase-notifications-store.ts'
import { erasePerson } from '../people/erase-person-store.ts'
import { SUBJECT_IDENTITY } from '../people/subject.ts'
import { deleteRecording } from '../recording/delete-recording.ts'
import { eraseLiveTexts } from '../recording/live-text/erase-live-texts-store.ts'
import { eraseTraces } from '../recording/recordings/erase-traces-store.ts'
import { forgetSpeakers } from '../recording/transcriptions/erase-speakers-store.ts'
import { eraseFromLogs } from '../room-log/erase-logs.ts'
import { noteRemoved, type RoomErasure } from './erasure-store.ts'
import { type DataSubject, type Erasure, NOTHING_REMOVED, type RoomOfPerson } from './erasure.ts'
import {
  findHoldOfRoom,
  findPersonInRoom,
  findRecordedObjects,
  type PersonInRoom,
} from './subject-store.ts'

/** Forgets stored answers that contain one of these texts, or the whole reference. */
type ForgetAnswers = (tx: Tx, about: DataSubject & { texts: readonly string[] }) => Promise<void>

export type ErasingDeps = Pick<Deps, 'db' | 'clock'> & { forgetAnswers: ForgetAnswers }

/**
 * Erases a person from one room that is over, in one transaction, and records the removed data. Changes nothing if a legal
 * hold was placed meanwhile.
 */
export async function eraseFromRoom(
  deps: ErasingDeps,
  erasure: Erasure & DataSubject,
  room: RoomOfPerson,
): Promise<void> {
  const { tenantId } = erasure
  const { roomId } = room
  await inTransaction(deps.db, async (tx) => {
    await lockHolds(tx, tenantId, 'shared')
    if ((await findHoldOfRoom(tx, roomId)) !== undefined) return
    await lockRoom(tx, { tenantId, roomId })
    const person = await findPersonInRoom(tx, erasure, roomId)
    const isTest = room.connectionTestId !== null
    const recorded = await eraseRecordings(deps, tx, { erasure, roomId, person, isTest })
    const rest = isTest
      ? await eraseTest(tx, erasure, room)
      : await eraseVisits(tx, erasure, { roomId, person })
    const texts = [...person.participantIds, ...[room.connectionTestId ?? []].flat()]
    await deps.forgetAnswers(tx, { ...erasure, texts })
    await noteRemoved(tx, erasure.id, {
      removed: { ...NOTHING_REMOVED, ...recorded.removed, ...rest.removed },
      objectKeys: [...recorded.objectKeys, ...rest.objectKeys],
      keptRoom: recorded.keptRoom,
    })
  })
}

type Part = Omit<RoomErasure, 'removed'> & { removed: Partial<ErasedCounts> }

interface RecordedRoom {
  erasure: Erasure
  roomId: string
  person: PersonInRoom
  isTest: boolean
}

/** A recording shows everybody, so it is deleted as a whole or kept. The recording of a test shows only the person. */
async function eraseRecordings(
  { clock }: ErasingDeps,
  tx: Tx,
  { erasure, roomId, person: { recordingIds }, isTest }: RecordedRoom,
): Promise<Part> {
  const { tenantId, recordings } = erasure
  if (recordingIds.length === 0) return { removed: {}, objectKeys: [], keptRoom: undefined }
  if (recordings === 'keep' && !isTest) return { removed: {}, objectKeys: [], keptRoom: roomId }
  const { keys, processedCount, clipCount, transcriptionCount } = await findRecordedObjects(
    tx,
    roomId,
  )
  for (const recordingId of recordingIds) {
    await deleteRecording(tx, { tenantId, recordingId }, clock)
  }
  return {
    removed: {
      recordings: recordingIds.length,
      processed_recordings: processedCount,
      clips: clipCount,
      transcriptions: transcriptionCount,
    },
    objectKeys: keys,
    keptRoom: undefined,
  }
}

async function eraseVisits(
  tx: Tx,
  { tenantId }: Erasure,
  { roomId, person }: { roomId: string; person: PersonInRoom },
): Promise<Part> {
  const { participantIds, entryIds } = person
  const theirs = { roomId, identities: participantIds, participantIds }
  const messages = await eraseMessages(tx, theirs)
  const roomEvents = await eraseFromLogs(tx, { ...theirs, messageIds: messages.ids })
  const liveTexts = await eraseLiveTexts(tx, theirs)
  const voiceKeys = await eraseTraces(tx, theirs)
  await forgetSpeakers(tx, theirs)
  await eraseNotifications(tx, theirs)
  await deleteJobsOf(tx, participantIds)
  const events = await eraseEvents(tx, {
    tenantId,
    dedupeKeys: entryIds.map((id) => `entry:${id}`),
    withoutPerson: (data) => ({ ...data, participant: withoutPerson(data['participant']) }),
  })
  const visits = await erasePerson(tx, theirs)
  return {
    removed: {
      ...visits,
      room_events: roomEvents,
      chat_messages: messages.ids.length,
      live_texts: liveTexts,
      events,
    },
    objectKeys: [...messages.objectKeys, ...voiceKeys],
    keptRoom: undefined,
  }
}

/** The same fields as on the simple route, where people are anonymous. */
function withoutPerson(participant: unknown): object {
  return {
    ...(participant as object),
    id: null,
    display_name: '',
    external_type: null,
    external_id: null,
  }
}

/** An id that no connection test has. */
const NOBODYS = '00000000-0000-0000-0000-000000000000'

async function eraseTest(
  tx: Tx,
  { tenantId }: Erasure,
  { roomId, connectionTestId }: RoomOfPerson,
): Promise<Part> {
  const id = String(connectionTestId)
  const theirs = { roomId, identities: [SUBJECT_IDENTITY], messageIds: [] }
  const roomEvents = await eraseFromLogs(tx, theirs)
  await eraseNotifications(tx, theirs)
  const events = await eraseEvents(tx, {
    tenantId,
    dedupeKeys: [`connection_test:${id}:done`],
    withoutPerson: (data) => ({ ...data, connection_test_id: NOBODYS, external_ref: null }),
  })
  await eraseConnectionTest(tx, id)
  return {
    removed: { connection_tests: 1, room_events: roomEvents, events },
    objectKeys: [],
    keptRoom: undefined,
  }
}
