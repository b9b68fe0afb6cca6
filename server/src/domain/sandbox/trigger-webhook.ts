import { randomUUID } from 'node:crypto'
import { SANDBOX_TRIGGERS, type SandboxTriggerType } from '@interview-room/contract/sandbox.ts'
import type { WebhookType } from '@interview-room/contract/webhooks.ts'
import type { TenantLimits } from '../../platform/config/tenant-limits.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { refuseField } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { planFailure, requireSandbox } from '../../platform/sandbox/simulation.ts'
import { recordWebhookEvent } from '../../platform/webhooks/record-event.ts'
import { completeRoom, provisionRoom } from '../booking/create-room.ts'
import { settingsOf } from '../booking/new-room.ts'
import { readRoom } from '../booking/read-bookings.ts'
import { isRunning } from '../recording/recordings/recording.ts'
import { enterPerson, type NewPerson } from './enter-person.ts'
import { newestRecording, runTriggerRequest } from './run-trigger.job.ts'
import { ensureSampleInterview } from './sample-interview/make-sample-interview.ts'
import { takeConnectionTest } from './take-connection-test.ts'

/** The person whom triggers let in. */
const MODERATOR: NewPerson = {
  role: 'moderator',
  displayName: 'Simulated moderator',
  externalType: 'Simulated',
  externalId: 'moderator',
  isPublishing: true,
  consent: 'given',
}

const RESPONDENT: NewPerson = {
  ...MODERATOR,
  role: 'panelist',
  displayName: 'Simulated respondent',
  externalId: 'respondent',
}

type TriggerDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>

export interface TriggerOrder {
  tenantId: string
  /** Limits for the room that the trigger books. */
  tenantLimits: TenantLimits
  type: SandboxTriggerType
  failureReason: string | null
  roomId: string | null
}

/** The room or the connection test that the trigger used. */
export interface TriggerResult {
  roomId: string | null
  connectionTestId: string | null
}

/**
 * Brings about the event of a webhook with the same operations as in a real room. Throws 404 NOT_FOUND for a real tenant
 * and a foreign room, 422 VALIDATION_ERROR for a reason that the type does not have, and the refusals of an entry.
 */
export async function triggerWebhook(
  deps: TriggerDeps,
  order: TriggerOrder,
): Promise<TriggerResult> {
  await requireSandbox(deps.db, order.tenantId)
  refuseImpossible(order)
  const { type } = order
  if (type === 'sample_interview') {
    const { roomId } = await ensureSampleInterview(deps, order)
    return { roomId, connectionTestId: null }
  }
  if (type === 'webhook.test') {
    await sendTest(deps, order)
    return { roomId: null, connectionTestId: null }
  }
  if (type === 'connection_test.completed') return takeConnectionTest(deps, order)
  return { roomId: await actInRoom(deps, { ...order, type }), connectionTestId: null }
}

/** Triggers that happen in no room of the tenant's choice. */
const WITHOUT_ROOM: readonly SandboxTriggerType[] = [
  'webhook.test',
  'connection_test.completed',
  'sample_interview',
]

function refuseImpossible({ type, failureReason, roomId }: TriggerOrder): void {
  const reasons: readonly string[] = SANDBOX_TRIGGERS[type]
  if (failureReason !== null && !reasons.includes(failureReason)) {
    const allowed = reasons.length === 0 ? 'absent' : `one of: ${reasons.join(', ')}`
    throw refuseField('VALIDATION_ERROR', {
      field: 'failure_reason',
      code: 'NOT_ALLOWED',
      message: `must be ${allowed}, because the type is ${type}`,
    })
  }
  if (roomId !== null && WITHOUT_ROOM.includes(type)) {
    throw refuseField('VALIDATION_ERROR', {
      field: 'room_id',
      code: 'NOT_ALLOWED',
      message: `must be absent, because ${type} happens in no room of yours`,
    })
  }
}

async function sendTest({ db, clock }: TriggerDeps, { tenantId }: TriggerOrder): Promise<void> {
  const name = `test:${randomUUID()}`
  await inTransaction(db, (tx) =>
    recordWebhookEvent(tx, {
      tenantId,
      type: 'webhook.test',
      streamKey: name,
      dedupeKey: name,
      occurredAt: clock(),
      data: { message: 'This is a test of your webhook endpoint.' },
    }),
  )
}

async function actInRoom(
  deps: TriggerDeps,
  order: TriggerOrder & { type: WebhookType },
): Promise<string> {
  const { db, clock } = deps
  const { tenantId, type, failureReason } = order
  const roomId = order.roomId ?? (await bookRoom(deps, order))
  const key = { tenantId, roomId }
  await readRoom(db, key)
  if (type === 'participant.entered') {
    await enterPerson(deps, key, RESPONDENT)
    return roomId
  }
  const holder = await enterPerson(deps, key, MODERATOR)
  const newest = await newestRecording(db, roomId)
  // A running recording is the one that the trigger will end.
  const before = newest === undefined || isRunning(newest) ? null : newest.id
  const until = new Date(clock().getTime() + TRIGGER_MAX_MS).toISOString()
  await inTransaction(db, async (tx) => {
    await planFailure(tx, { ...key, type, failureReason })
    await enqueue(tx, runTriggerRequest({ ...holder, type, failureReason, before, until }))
  })
  return roomId
}

/** A trigger gives up when the storage or the workers are away for longer. */
const TRIGGER_MAX_MS = 10 * 60_000

const SLOT_MS = 60 * 60_000

/** Books a room that is open now and is recorded when a moderator says so. */
async function bookRoom(
  deps: TriggerDeps,
  { tenantId, tenantLimits }: Pick<TriggerOrder, 'tenantId' | 'tenantLimits'>,
): Promise<string> {
  const { db, clock, config } = deps
  const startsAt = clock()
  const slot = {
    externalType: 'Sandbox',
    externalId: randomUUID(),
    name: 'Simulated interview',
    startsAt,
    endsAt: new Date(startsAt.getTime() + SLOT_MS),
  }
  const body = { kind: 'interview', archive_mode: 'manual' } as const
  const settings = settingsOf({ ...body, session: NO_SESSION }, config.transcription.languages)
  const provisioned = await provisionRoom(deps, { tenantId, tenantLimits, settings, slot })
  const room = await inTransaction(db, (tx) => completeRoom(tx, provisioned, { isLast: true }))
  return room.id
}

/** The slot is passed separately from the settings. */
const NO_SESSION = { external_type: '', external_id: '', starts_at: '', ends_at: '' }
