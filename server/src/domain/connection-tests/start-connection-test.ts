import type { ConnectionTestRequest } from '@interview-room/contract/connection-tests.ts'
import { DEFAULT_ENGINE, DEFAULT_LANGUAGE } from '@interview-room/contract/limits.ts'
import type { Tx } from '../../platform/db/db.ts'
import { refuseHalfRef } from '../../platform/lib/external-ref.ts'
import { cleanFreeText } from '../../platform/lib/free-text.ts'
import { uuidv7 } from '../../platform/lib/uuid.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { newAccessToken } from '../booking/access-token.ts'
import {
  completeRoom,
  type ProvisionedRoom,
  provisionSlotlessRoom,
} from '../booking/create-room.ts'
import type { RoomSettings } from '../booking/room.ts'
import type { ConnectionTest } from './connection-test.ts'
import { insertConnectionTest } from './store.ts'

type TestRequest = NonNullable<ConnectionTestRequest>
type StartDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'config'>

/** The settings of a new test, from the tenant's request or from the test that it repeats. */
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

/** A test whose media room exists and which is not visible yet. */
export interface ProvisionedTest extends ProvisionedRoom {
  test: NewTest
}

/**
 * Makes a test with a room and a media room of its own. Either `completeConnectionTest` makes both permanent or `undoRoom`
 * removes them.
 *
 * Throws 400 INVALID_REQUEST, 502 RTC_PROVISION_FAILED.
 */
export async function startConnectionTest(
  deps: StartDeps,
  { tenantId, asked }: { tenantId: string; asked: TestRequest },
): Promise<ProvisionedTest> {
  refuseHalfRef(asked)
  const lifeSec = asked.expires_in_seconds ?? deps.config.connectionTestLifeSec
  return provisionTest(deps, {
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
  })
}

export async function provisionTest(deps: StartDeps, test: NewTest): Promise<ProvisionedTest> {
  const { tenantId } = test
  const provisioned = await provisionSlotlessRoom(deps, { tenantId, settings: settingsOf(test) })
  return { ...provisioned, test }
}

/** Returns undefined when the same test already has another repeat. */
export async function completeConnectionTest(
  tx: Tx,
  provisioned: ProvisionedTest,
  now: Date,
): Promise<ConnectionTest | undefined> {
  const room = await completeRoom(tx, provisioned)
  const made = {
    ...provisioned.test,
    ...NOTHING_YET,
    id: uuidv7(now.getTime()),
    roomId: room.id,
    mediaRoomSid: room.mediaRoomSid,
    ticket: newAccessToken(),
  }
  const createdAt = await insertConnectionTest(tx, made, now)
  return createdAt && { ...made, createdAt }
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
    transcriptionFailover: null,
    liveText: 'off',
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
