import type { ConnectionTestReport } from '@interview-room/contract/connection-tests.ts'
import { CONNECTION_TEST_MEASURED_MIN_SEC } from '@interview-room/contract/limits.ts'
import { inTransaction, type Tx } from '../../platform/db/db.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { recordWebhookEvent } from '../../platform/webhooks/record-event.ts'
import { closeInTransaction, emptyMediaRoom } from '../room-end/close-room.ts'
import {
  type ConnectionTest,
  type ConnectionTestKey,
  connectionTestCompleted,
  isFinished,
} from './connection-test.ts'
import { lockConnectionTest, refuseState } from './lock-connection-test.ts'
import { markFinished, type TestResult } from './store.ts'
import { summarise } from './summary.ts'

const REASON = 'connection_test_ended'

/**
 * Stores the result of a running test, notifies the tenant (W5) and closes the room. A second result changes nothing.
 *
 * Throws 400 INVALID_REQUEST, 422 VALIDATION_ERROR.
 */
export async function finishConnectionTest(
  deps: Pick<Deps, 'db' | 'media' | 'clock' | 'log'>,
  key: ConnectionTestKey & { roomId: string },
  report: ConnectionTestReport,
): Promise<void> {
  const facts = factsOf(report)
  await inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    const test = await lockConnectionTest(tx, key, now)
    if (isFinished(test)) return
    if (test.status !== 'running') throw refuseState(test)
    const result = { ...facts, status: report.status, completedAt: now }
    await markFinished(tx, key, result)
    await notifyTenant(tx, test, result)
    await closeInTransaction(tx, { ...key, reason: REASON }, () => now)
  })
  await emptyMediaRoom(deps, key.roomId)
}

async function notifyTenant(tx: Tx, test: ConnectionTest, result: TestResult): Promise<void> {
  await recordWebhookEvent(tx, {
    tenantId: test.tenantId,
    type: 'connection_test.completed',
    streamKey: `connection_test:${test.id}`,
    dedupeKey: `connection_test:${test.id}:done`,
    occurredAt: result.completedAt,
    data: connectionTestCompleted(test, result),
  })
}

/** Checks the fields of a report: its status decides which are required and which are forbidden. */
function factsOf(report: ConnectionTestReport): Omit<TestResult, 'status' | 'completedAt'> {
  const { devices = null, baseline = null, load = null, samples = null } = report
  const measuredSec = report.measured_sec ?? null
  if (report.status === 'failed') {
    const { failure_reason: failureReason } = report
    if (failureReason === undefined) throw missing(['failure_reason'])
    return { devices, baseline, load, samples, measuredSec, summary: null, failureReason }
  }
  if (report.failure_reason !== undefined) throw refuseReason()
  if (devices === null || baseline === null || load === null || measuredSec === null) {
    const all = { devices, baseline, load, measured_sec: measuredSec }
    throw missing(Object.entries(all).flatMap(([name, fact]) => (fact === null ? [name] : [])))
  }
  if (measuredSec < CONNECTION_TEST_MEASURED_MIN_SEC) throw tooShort()
  const incomingCapacityKbps = report.incoming_capacity_kbps ?? null
  const summary = summarise({ baseline, load, measuredSec, incomingCapacityKbps })
  return { devices, baseline, load, samples, measuredSec, summary, failureReason: null }
}

function missing(fields: readonly string[]): ServiceError {
  const details = fields.map((field) => {
    return { field, code: 'REQUIRED', message: 'is required with this status' } as const
  })
  return new ServiceError('INVALID_REQUEST', { details })
}

function refuseReason(): ServiceError {
  return refuseField('INVALID_REQUEST', {
    field: 'failure_reason',
    code: 'NOT_ALLOWED',
    message: 'belongs to a failed test',
  })
}

function tooShort(): ServiceError {
  return refuseField('VALIDATION_ERROR', {
    field: 'measured_sec',
    code: 'OUT_OF_RANGE',
    message: `must be at least ${CONNECTION_TEST_MEASURED_MIN_SEC} when completed`,
  })
}
