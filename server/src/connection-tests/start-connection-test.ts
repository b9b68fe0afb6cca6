import type { NewConnectionTest } from '@interview-room/contract/connection-tests.ts'
import { DEFAULT_ENGINE, DEFAULT_LANGUAGE } from '@interview-room/contract/limits.ts'
import type { Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { refuseHalfRef } from '../lib/external-ref.ts'
import { cleanFreeText } from '../lib/free-text.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { createSlotlessRoom } from '../rooms/create-room.ts'
import type { RoomSettings } from '../rooms/room.ts'
import { newAccessToken } from '../sessions/access-token.ts'
import type { ConnectionTest } from './connection-test.ts'
import { insertConnectionTest } from './store.ts'

type Asked = NonNullable<NewConnectionTest>
type StartDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'config'>

/** What a test is made of: by the tenant's words, or by those of the test that it repeats. */
export type NewTest = Pick<
  ConnectionTest,
  | 'tenantId'
  | 'externalType'
  | 'externalId'
  | 'name'
  | 'locale'
  | 'hasRecording'
  | 'streamResolution'
  | 'streamFrameRate'
  | 'expiresAt'
  | 'repeatOf'
  | 'attempt'
>

/**
 * Makes a test with a room and a media room of its own, which are there together or not at all.
 * `onStarted` runs in the transaction that makes it so.
 *
 * Throws 400 INVALID_REQUEST, 502 RTC_PROVISION_FAILED.
 */
export async function startConnectionTest(
  deps: StartDeps,
  { tenantId, asked }: { tenantId: string; asked: Asked },
  onStarted: (tx: Tx, test: ConnectionTest) => Promise<void>,
): Promise<void> {
  refuseHalfRef(asked)
  const lifeSec = asked.expires_in_seconds ?? deps.config.connectionTestLifeSec
  const test = {
    tenantId,
    externalType: asked.external_type ?? null,
    externalId: asked.external_id === undefined ? null : String(asked.external_id),
    name: asked.name == null ? null : cleanFreeText(asked.name),
    locale: asked.locale ?? null,
    hasRecording: asked.record ?? false,
    streamResolution: asked.stream_resolution ?? '320x240',
    streamFrameRate: asked.stream_frame_rate ?? 15,
    expiresAt: new Date(deps.clock().getTime() + lifeSec * 1000),
    repeatOf: null,
    attempt: 1,
  } as const
  await makeConnectionTest(deps, test, async (tx, made) => {
    if (made === undefined) throw new Error('a connection test was not stored')
    await onStarted(tx, made)
  })
}

/** Hands over undefined when another repeat of the same test stands; nothing is made, then. */
export async function makeConnectionTest(
  deps: StartDeps,
  test: NewTest,
  onMade: (tx: Tx, made: ConnectionTest | undefined) => Promise<void>,
): Promise<void> {
  const { tenantId } = test
  await createSlotlessRoom(deps, { tenantId, settings: settingsOf(test) }, async (tx, room) => {
    const now = deps.clock()
    const made = {
      ...test,
      ...NOTHING_YET,
      id: uuidv7(now.getTime()),
      roomId: room.id,
      mediaRoomSid: room.mediaRoomSid,
      ticket: newAccessToken(),
    }
    const createdAt = await insertConnectionTest(tx, made, now)
    await onMade(tx, createdAt && { ...made, createdAt })
  })
}

function settingsOf({ hasRecording, streamResolution, streamFrameRate }: NewTest): RoomSettings {
  return {
    kind: 'connection_test',
    archiveMode: hasRecording ? 'always' : 'manual',
    archiveResolution: '640x480',
    streamResolution,
    streamFrameRate,
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
