import type { RecordingStatus } from '@interview-room/contract/vocabulary.ts'
import { sendArchiveStatus } from '../chat/send-archive-status.ts'
import type { Tx } from '../db/db.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import { appendRoomEvent } from '../room-events/append-room-event.ts'
import type { Recording } from './recording.ts'

type Announced = Pick<Recording, 'id' | 'tenantId' | 'roomId'>

interface Announcement {
  to: RecordingStatus
  /** Null for the first status. */
  from: RecordingStatus | null
  failureReason: string | null
}

/** Facts in the room's log; the contract names `recording.failed`. */
const ROOM_EVENT = {
  started: 'recording.started',
  paused: 'recording.paused',
  stopped: 'recording.stopped',
  failed: 'recording.failed',
} as const

const CHAT_WORD = {
  started: 'started',
  paused: 'paused',
  stopped: 'stopped',
  // To those in the room it is the same: nothing is recorded any more.
  failed: 'stopped',
} as const

/** Tells the room what became of its recording: the log, the chat, the pages that are open. */
export async function announce(
  tx: Tx,
  recording: Announced,
  { to, from, failureReason }: Announcement,
): Promise<void> {
  const { id, tenantId, roomId } = recording
  if (to === 'uploaded' || to === 'available' || to === 'expired') return
  await appendRoomEvent(tx, {
    tenantId,
    roomId,
    eventType: from === 'paused' && to === 'started' ? 'recording.resumed' : ROOM_EVENT[to],
    payload:
      failureReason === null
        ? { recording_id: id }
        : { recording_id: id, failure_reason: failureReason },
  })
  const wasOver = from !== null && from !== 'started' && from !== 'paused'
  if (!wasOver) await sendArchiveStatus(tx, { tenantId, roomId, text: CHAT_WORD[to] })
  await tellRoom(tx, roomId, { name: 'recording' })
}
