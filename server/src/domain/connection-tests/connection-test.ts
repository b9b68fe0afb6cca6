import type {
  BaselineFacts,
  ClientFacts,
  DeviceFacts,
  ReportedLoad,
  SummaryFacts,
} from '@interview-room/contract/connection-tests.ts'
import type {
  ConnectionTestFailure,
  ConnectionTestStatus,
  Locale,
  RecordingStatus,
  StreamFrameRate,
  StreamResolution,
} from '@interview-room/contract/vocabulary.ts'
import type { ConnectionTestCompletedData } from '@interview-room/contract/webhooks.ts'

/** A measurement of one person's browser and connection, in a room of its own. */
export interface ConnectionTest extends Facts {
  id: string
  tenantId: string
  roomId: string
  externalType: string | null
  externalId: string | null
  name: string | null
  locale: Locale | null
  hasRecording: boolean
  streamResolution: StreamResolution
  streamFrameRate: StreamFrameRate
  ticket: string
  /** The test that this one repeats. */
  repeatOf: string | null
  /** 1 for a test that the tenant started, 2 for its first repeat, and so on. */
  attempt: number
  /** Derived when it is read: a test whose time is over is `expired`. */
  status: ConnectionTestStatus
  expiresAt: Date
  startedAt: Date | null
  completedAt: Date | null
  mediaRoomSid: string
  recordings: { id: string; status: RecordingStatus; durationSec: number | null }[]
  createdAt: Date
}

/** The results of a test; null for everything that was not measured. */
export interface Facts {
  measuredSec: number | null
  client: ClientFacts | null
  devices: DeviceFacts | null
  baseline: BaselineFacts | null
  load: ReportedLoad | null
  summary: SummaryFacts | null
  failureReason: ConnectionTestFailure | null
}

export interface ConnectionTestKey {
  tenantId: string
  connectionTestId: string
}

/** A running test without a sign of life for this long is over. */
export const SILENCE_MAX_SEC = 5 * 60

/** Number of attempts before the tenant has to start another test. */
const ATTEMPTS_MAX = 20

/** True when a result has been received. */
export function isFinished({ status }: Pick<ConnectionTest, 'status'>): boolean {
  return status === 'completed' || status === 'failed'
}

/** True if the person may repeat the test: it has a result and the link is still valid. */
export function canRepeat(
  test: Pick<ConnectionTest, 'status' | 'attempt' | 'expiresAt'>,
  now: Date,
): boolean {
  return isFinished(test) && test.attempt < ATTEMPTS_MAX && now < test.expiresAt
}

/** Data of W5 `connection_test.completed`. */
export function connectionTestCompleted(
  test: Pick<ConnectionTest, 'id' | 'roomId' | 'externalType' | 'externalId' | 'startedAt'>,
  result: Pick<Facts, 'summary' | 'failureReason'> & {
    status: 'completed' | 'failed'
    completedAt: Date
  },
): ConnectionTestCompletedData {
  const { externalType, externalId } = test
  return {
    connection_test_id: test.id,
    room_id: test.roomId,
    external_ref:
      externalType === null || externalId === null
        ? null
        : { external_type: externalType, external_id: externalId },
    status: result.status,
    summary: result.summary,
    failure_reason: result.failureReason,
    started_at: test.startedAt?.toISOString() ?? null,
    completed_at: result.completedAt.toISOString(),
  }
}
