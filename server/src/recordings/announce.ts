import type { RecordingStatus } from '@interview-room/contract/vocabulary.ts'
import { sendArchiveStatus } from '../chat/send-archive-status.ts'
import type { Tx } from '../db/db.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import { appendRoomEvent } from '../room-events/append-room-event.ts'
import type { HeldRoomKey } from '../rooms/room-lock.ts'
import type { Recording } from './recording.ts'
import { wasAnnounced } from './segment-store.ts'

/** Of a room whose lock is held. */
export type Announced = Pick<Recording, 'id'> & HeldRoomKey

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

/** Tells the room what became of its recording: the log, the chat, the pages that are open. */
export async function announce(
  tx: Tx,
  recording: Announced,
  { to, from, failureReason }: Announcement,
): Promise<void> {
  const { id } = recording
  if (to === 'uploaded' || to === 'available' || to === 'expired') return
  await appendRoomEvent(tx, {
    ...recording,
    eventType: from === 'paused' && to === 'started' ? 'recording.resumed' : ROOM_EVENT[to],
    payload:
      failureReason === null
        ? { recording_id: id }
        : { recording_id: id, failure_reason: failureReason },
  })
  const text = await chatWordOf(tx, recording, { to, from })
  if (text !== undefined) await sendArchiveStatus(tx, recording, text)
  await tellRoom(tx, recording, { name: 'recording' })
}

/** Undefined where the chat has nothing to say. That it has started is said by `announceWriting`. */
async function chatWordOf(
  tx: Tx,
  { id }: Pick<Announced, 'id'>,
  { to, from }: Pick<Announcement, 'to' | 'from'>,
): Promise<'paused' | 'stopped' | undefined> {
  if (to === 'paused') return 'paused'
  const wasRunning = from === 'started' || from === 'paused'
  if (to === 'stopped') return wasRunning ? 'stopped' : undefined
  // To those in the room a failure is an end like any other, of what they were told the beginning.
  const isEnd = to === 'failed' && wasRunning
  return isEnd && (from === 'paused' || (await wasAnnounced(tx, id))) ? 'stopped' : undefined
}

/** The chat says that it has started, or goes on, when media is being written and not before. */
export async function announceWriting(tx: Tx, room: HeldRoomKey): Promise<void> {
  await sendArchiveStatus(tx, room, 'started')
}
