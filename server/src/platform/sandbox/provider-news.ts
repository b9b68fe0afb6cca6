import { randomUUID } from 'node:crypto'
import type { Tx } from '../db/db.ts'
import type { SimulatedEgress } from './store.ts'

/** Prefix of the ids of its notifications. */
export const SIMULATED_EVENT = 'EV_simulated_'

/** Puts a notification of the simulated provider into the inbox, in the transaction of its change. */
export type Notify = (tx: Tx, body: string) => Promise<void>

interface SeenConnection {
  mediaRoom: string
  identity: string
  sid: string
  joinedAt: Date
}

/** A person connected or left, in the form of the real provider. */
export function connectionNews(
  event: 'participant_joined' | 'participant_left',
  { mediaRoom, identity, sid, joinedAt }: SeenConnection,
): string {
  const participant = { identity, sid, joinedAtMs: String(joinedAt.getTime()) }
  return bodyOf(event, { room: { name: mediaRoom }, participant })
}

/** A person starts to publish. */
export function trackNews({ mediaRoom, identity, sid }: Omit<SeenConnection, 'joinedAt'>): string {
  const track = { sid: `TR_${randomUUID()}` }
  return bodyOf('track_published', {
    room: { name: mediaRoom },
    participant: { identity, sid },
    track,
  })
}

export function roomFinishedNews(mediaRoom: string): string {
  return bodyOf('room_finished', { room: { name: mediaRoom } })
}

const NS_PER_SEC = 1_000_000_000

/** The new state of an egress. */
export function egressNews(egress: SimulatedEgress): string {
  const { egressId, mediaRoom, status, startedAt, endedAt, sizeBytes, durationSec } = egress
  const file = sizeBytes !== null && {
    filename: 'simulated.mp4',
    size: String(sizeBytes),
    duration: String(Math.round((durationSec ?? 0) * NS_PER_SEC)),
    ...(startedAt && { startedAt: nsOf(startedAt) }),
  }
  const egressInfo = {
    egressId,
    roomName: mediaRoom,
    status: `EGRESS_${status.toUpperCase()}`,
    ...(startedAt && { startedAt: nsOf(startedAt) }),
    ...(endedAt && { endedAt: nsOf(endedAt) }),
    ...(hasUploadFailed(egress) && { error: 'upload failed: simulated' }),
    ...(file && { fileResults: [file] }),
  }
  return bodyOf('egress_updated', { egressInfo })
}

export function hasUploadFailed({ status, failureReason }: SimulatedEgress): boolean {
  return status === 'failed' && failureReason === 'upload_failed'
}

function bodyOf(event: string, members: object): string {
  return JSON.stringify({ id: `${SIMULATED_EVENT}${randomUUID()}`, event, ...members })
}

const nsOf = (at: Date) => `${at.getTime()}000000`
