import type {
  ConnectionTestBody,
  ConnectionTestPageBody,
} from '@interview-room/contract/connection-tests.ts'
import { CONNECTION_TEST_MEASURED_MIN_SEC } from '@interview-room/contract/limits.ts'
import type { Config } from '../../platform/config/config.ts'
import { inspectorUrl } from '../booking/present-room.ts'
import { type ConnectionTest, canRepeat } from './connection-test.ts'

export function presentConnectionTest(
  test: ConnectionTest,
  config: Pick<Config, 'publicUrl' | 'livekit'>,
): ConnectionTestBody {
  return {
    id: test.id,
    room_id: test.roomId,
    external_type: test.externalType,
    external_id: test.externalId,
    name: test.name,
    status: test.status,
    connect_url: connectUrlOf(test, config),
    expires_at: test.expiresAt.toISOString(),
    started_at: test.startedAt?.toISOString() ?? null,
    completed_at: test.completedAt?.toISOString() ?? null,
    measured_sec: test.measuredSec,
    client: test.client,
    devices: test.devices,
    baseline: test.baseline,
    // Tests from before TCP was measured lack this member.
    load: test.load && { ...test.load, downlink_tcp: test.load.downlink_tcp ?? null },
    summary: test.summary,
    failure_reason: test.failureReason,
    provider_inspector_url: inspectorUrl(config, test.mediaRoomSid),
    recordings: test.recordings.map(({ id, status, durationSec }) => ({
      id,
      status,
      duration_sec: durationSec,
    })),
    created_at: test.createdAt.toISOString(),
  }
}

/** The URL at which the person takes the test. The ticket in it opens only this test. */
export function connectUrlOf(
  { id, ticket }: Pick<ConnectionTest, 'id' | 'ticket'>,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): string {
  return `${publicUrl}/t/${id}#ticket=${ticket}`
}

/** The fields of a test that the person under test may see. */
export function presentForSubject(test: ConnectionTest, now: Date): ConnectionTestPageBody {
  return {
    id: test.id,
    status: test.status,
    name: test.name,
    locale: test.locale,
    stream_resolution: test.streamResolution,
    stream_frame_rate: test.streamFrameRate,
    record: test.hasRecording,
    expires_at: test.expiresAt.toISOString(),
    measure_for_sec: CONNECTION_TEST_MEASURED_MIN_SEC,
    measured_sec: test.measuredSec,
    devices: test.devices,
    summary: test.summary,
    failure_reason: test.failureReason,
    can_repeat: canRepeat(test, now),
  }
}
