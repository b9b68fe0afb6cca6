import type { RecordingBody } from '@interview-room/contract/recordings.ts'
import type { RtcClient } from '@interview-room/media-server/test/support/rtc-client.ts'
import type { ApiParticipant } from './api-participant.ts'
import type { Tenant } from './tenant.ts'
import type { TestEnvironment } from './test-environment.ts'
import { SOON_MS, waitFor } from './wait.ts'

/** Each look opens a live stream. */
const LOOK_EVERY_MS = 300

/** A room with somebody to record and a moderator, both without a page. */
export interface RecordedRoom {
  roomId: string
  panelist: RtcClient
  moderator: ApiParticipant
}

export async function openRecordedRoom(env: TestEnvironment): Promise<RecordedRoom> {
  const { id: roomId } = await env.tenant.book({ room: { archive_mode: 'manual' } })
  const panelist = await env.connectByHand({ roomId, role: 'panelist', name: 'Pana' })
  await panelist.publish()
  const moderator = await env.enterByHand({ roomId, role: 'moderator', name: 'Mori' })
  return { roomId, panelist, moderator }
}

export async function recordingsOf(tenant: Tenant, roomId: string): Promise<RecordingBody[]> {
  const answer = await tenant.call('GET', `/rooms/${roomId}/recordings`)
  return ((await answer.json()) as { data: { items: RecordingBody[] } }).data.items
}

/** Waits until so much of the room has been recorded; answers since when it is being written. */
export async function untilRecorded(inside: ApiParticipant, sec: number): Promise<Date> {
  return waitFor(
    async () => {
      const { recording, now } = await inside.snapshot()
      const since = recording?.running_since
      if (recording === null || since === null || since === undefined) return undefined
      const recordedSec = recording.recorded_sec + (Date.parse(now) - Date.parse(since)) / 1000
      return recordedSec >= sec ? new Date(since) : undefined
    },
    { what: `${sec} s are recorded`, timeoutMs: SOON_MS + sec * 1000, everyMs: LOOK_EVERY_MS },
  )
}

/**
 * Waits until the one recording of the room, if there is one, has come to its end. `isFollowed`: it breaks off,
 * and another one may begin meanwhile.
 */
export async function untilEnded(
  tenant: Tenant,
  roomId: string,
  { isFollowed = false, timeoutMs = 240_000 }: { isFollowed?: boolean; timeoutMs?: number } = {},
): Promise<RecordingBody | undefined> {
  const { recording } = await waitFor(
    async () => {
      const [now, ...others] = await recordingsOf(tenant, roomId)
      if (others.length > 0 && !isFollowed) throw new Error('there are several recordings')
      const hasEnded = now === undefined || /^(available|failed)$/.test(now.status)
      return hasEnded ? { recording: now } : undefined
    },
    { what: 'the recording has ended', timeoutMs },
  )
  return recording
}
