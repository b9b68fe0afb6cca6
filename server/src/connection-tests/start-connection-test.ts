import type { NewConnectionTest } from '@interview-room/contract/connection-tests.ts'
import { DEFAULT_ENGINE, DEFAULT_LANGUAGE } from '@interview-room/contract/limits.ts'
import type { Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { refuseHalfRef } from '../lib/external-ref.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { createSlotlessRoom } from '../rooms/create-room.ts'
import type { RoomSettings } from '../rooms/room.ts'
import { newAccessToken } from '../sessions/access-token.ts'
import type { ConnectionTest } from './connection-test.ts'
import { insertConnectionTest } from './store.ts'

type Asked = NonNullable<NewConnectionTest>

/**
 * Makes a test with a room and a media room of its own, which are there together or not at all.
 * `onStarted` runs in the transaction that makes it so.
 *
 * Throws 400 INVALID_REQUEST, 502 RTC_PROVISION_FAILED.
 */
export async function startConnectionTest(
  deps: Pick<Deps, 'db' | 'media' | 'clock' | 'config'>,
  { tenantId, asked }: { tenantId: string; asked: Asked },
  onStarted: (tx: Tx, test: ConnectionTest) => Promise<void>,
): Promise<void> {
  refuseHalfRef(asked)
  await createSlotlessRoom(deps, { tenantId, settings: settingsOf(asked) }, async (tx, room) => {
    const now = deps.clock()
    const lifeSec = asked.expires_in_seconds ?? deps.config.connectionTestLifeSec
    const made = {
      id: uuidv7(now.getTime()),
      tenantId,
      roomId: room.id,
      externalType: asked.external_type ?? null,
      externalId: asked.external_id ?? null,
      name: asked.name ?? null,
      locale: asked.locale ?? null,
      hasRecording: asked.record ?? false,
      ticket: newAccessToken(),
      expiresAt: new Date(now.getTime() + lifeSec * 1000),
    }
    const createdAt = await insertConnectionTest(tx, made, now)
    await onStarted(tx, { ...made, ...NOTHING_YET, createdAt, mediaRoomSid: room.mediaRoomSid })
  })
}

function settingsOf(asked: Asked): RoomSettings {
  return {
    kind: 'connection_test',
    archiveMode: asked.record === true ? 'always' : 'manual',
    archiveResolution: '640x480',
    streamResolution: asked.stream_resolution ?? '320x240',
    streamFrameRate: asked.stream_frame_rate ?? 15,
    transcriptionLanguage: DEFAULT_LANGUAGE,
    transcriptionService: DEFAULT_ENGINE,
  }
}

const NOTHING_YET = {
  status: 'pending',
  startedAt: null,
  completedAt: null,
  measuredSec: null,
  client: null,
  devices: null,
  baseline: null,
  load: null,
  summary: null,
  failureReason: null,
  recordings: [],
} as const satisfies Partial<ConnectionTest>
