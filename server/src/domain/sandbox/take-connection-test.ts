import { CONNECTION_TEST_MEASURED_MIN_SEC } from '@interview-room/contract/limits.ts'
import type { ConnectionTestFailure } from '@interview-room/contract/vocabulary.ts'
import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { connectSubject } from '../connection-tests/connect-subject.ts'
import { finishConnectionTest } from '../connection-tests/finish-connection-test.ts'
import {
  completeConnectionTest,
  startConnectionTest,
} from '../connection-tests/start-connection-test.ts'

const BROWSER = {
  browser_name: 'Simulated',
  browser_version: '1',
  platform_name: 'Simulated',
  platform_version: '1',
  is_mobile: false,
}

const FLOW = {
  bitrate_kbps: 40,
  packet_loss_ratio: 0,
  rtt_ms: 20,
  jitter_ms: 2,
  frame_rate: null,
  width: null,
  height: null,
  freeze_count: 0,
  limited_by_cpu_sec: 0,
  limited_by_bandwidth_sec: 0,
}

/** A good connection, as a browser would report it. */
const RESULT = {
  status: 'completed' as const,
  measured_sec: CONNECTION_TEST_MEASURED_MIN_SEC,
  devices: { camera: 'ok', microphone: 'ok', speaker: 'ok' } as const,
  baseline: {
    signaling: { connected: true, connect_ms: 80 },
    media: { connected: true, connect_ms: 210, protocol: 'udp', candidate_type: 'host' } as const,
    rtt_ms: { avg: 18, max: 40 },
    jitter_ms: { avg: 3, max: 9 },
  },
  load: {
    uplink: { audio: FLOW, video: null },
    downlink: { audio: FLOW, video: null },
    available_outgoing_kbps: 2400,
  },
}

type TestDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'config' | 'log'>

/** A connection test from its start to the report of a simulated browser. */
export async function takeConnectionTest(
  deps: TestDeps,
  { tenantId, failureReason }: { tenantId: string; failureReason: string | null },
): Promise<{ roomId: string; connectionTestId: string }> {
  const { db, clock } = deps
  const asked = { name: 'Simulated respondent' }
  const provisioned = await startConnectionTest(deps, { tenantId, asked })
  const test = await inTransaction(db, (tx) => completeConnectionTest(tx, provisioned, clock()))
  if (test === undefined) throw new Error('a connection test was not stored')
  const key = { tenantId, roomId: test.roomId, connectionTestId: test.id }
  await connectSubject(deps, key, BROWSER)
  const failure_reason = failureReason as ConnectionTestFailure | null
  await finishConnectionTest(
    deps,
    key,
    failure_reason === null ? RESULT : { status: 'failed', failure_reason },
  )
  return { roomId: test.roomId, connectionTestId: test.id }
}
