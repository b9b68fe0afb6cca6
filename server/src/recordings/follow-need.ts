import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { findMissingConsents } from '../facts/find-consent.ts'
import { holdRoom } from '../rooms/hold-room.ts'
import { findPublishers } from './publishers.ts'
import { isHeldBack, type Need, needOf, type RoomFacts } from './recording-need.ts'
import { requestRecording } from './request-recording.ts'
import {
  findLastRecording,
  findRecordedRoom,
  findRunning,
  type RecordedPerson,
  type RecordedRoom,
} from './running-store.ts'
import { stopRecording } from './stop-recording.ts'

type NeedDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'config'>

/**
 * Begins or ends the recording as the room needs it now; answers when to look again, where nothing
 * else will say so. Throws `MediaError`.
 */
export async function followNeed(deps: NeedDeps, room: RecordedRoom): Promise<Date | undefined> {
  const { db, clock } = deps
  const running = await findRunning(db, room.roomId)
  const mayStart = running === undefined && room.archiveMode === 'always' && room.peopleInside > 0
  // Only then is the provider asked.
  const people = mayStart ? await findPublishers(deps, room.roomId) : []
  const last = running === undefined ? await findLastRecording(db, room.roomId) : undefined
  const { missing, refused } = await findMissingConsents(db, room.roomId)
  const facts: RoomFacts = {
    ...room,
    lacksConsent: missing.length > 0,
    isRefused: refused.length > 0,
    last,
    runningSince: running?.since ?? null,
    isPublished: people.length > 0,
  }
  const need = needOf(facts, clock())
  await meet(deps, room, { need, people })
  return need.do === 'look' ? need.at : undefined
}

async function meet(
  { db, clock, config }: NeedDeps,
  { tenantId, roomId }: RecordedRoom,
  { need, people }: { need: Need; people: readonly RecordedPerson[] },
): Promise<void> {
  if (need.do === 'look' || need.do === 'nothing') return
  await inTransaction(db, async (tx) => {
    const held = await holdRoom(tx, { tenantId, roomId })
    if (need.do === 'stop') {
      await stopRecording(tx, held, { reason: need.reason, now: clock() })
      return
    }
    // Closed in the meantime, or somebody has come who was not asked yet.
    if ((await findRecordedRoom(tx, roomId))?.isReleased !== false) return
    if ((await findMissingConsents(tx, roomId)).missing.length > 0) return
    // Stopped in the meantime.
    const last = await findLastRecording(tx, roomId)
    if (last !== undefined && isHeldBack(last)) return
    const { outputMode } = config.recordings
    const order = { ...held, outputMode, isAutomatic: true, people }
    await requestRecording(tx, order, clock())
  })
}
