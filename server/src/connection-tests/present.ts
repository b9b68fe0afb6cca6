import type { ConnectionTestBody } from '@interview-room/contract/connection-tests.ts'
import type { Config } from '../config.ts'
import { inspectorUrl } from '../rooms/present.ts'
import type { ConnectionTest } from './connection-test.ts'

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
    connect_url: `${config.publicUrl}/t/${test.id}#ticket=${test.ticket}`,
    expires_at: test.expiresAt.toISOString(),
    started_at: test.startedAt?.toISOString() ?? null,
    completed_at: test.completedAt?.toISOString() ?? null,
    measured_sec: test.measuredSec,
    client: test.client,
    devices: test.devices,
    baseline: test.baseline,
    load: test.load,
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
