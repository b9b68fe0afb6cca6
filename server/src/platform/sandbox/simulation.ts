import type { WebhookType } from '@interview-room/contract/webhooks.ts'
import type { Query, Tx } from '../db/db.ts'
import { ServiceError } from '../lib/service-error.ts'
import {
  deleteFailures,
  findIsSandbox,
  findSimulationOf,
  type Simulation,
  type SimulatedFailurePlan,
  upsertFailure,
} from './store.ts'

/** A failure that was asked for. Its message is a fixed sentence. */
export class SimulatedFailure extends Error {
  override name = 'SimulatedFailure'
  /** What the webhook reports. */
  readonly reason: string

  constructor(reason: string) {
    super('fails as a trigger of the sandbox asked for')
    this.reason = reason
  }
}

/** How work in a room is simulated. Undefined for the rooms of real tenants, where it is not. */
export async function findSimulation(
  query: Query,
  subject: { roomId: string; type: WebhookType },
): Promise<Simulation | undefined> {
  return findSimulationOf(query, subject)
}

/** Throws `SimulatedFailure` where a trigger asked for one of these reasons, or for any. */
export async function failIfTriggered(
  query: Query,
  { reasons, ...subject }: { roomId: string; type: WebhookType; reasons?: readonly string[] },
): Promise<void> {
  const reason = (await findSimulationOf(query, subject))?.failureReason ?? null
  if (reason === null || reasons?.includes(reason) === false) return
  throw new SimulatedFailure(reason)
}

/** What shall fail in a room from now on, in place of what was asked for before. */
export async function planFailure(
  tx: Tx,
  { failureReason, ...room }: Omit<SimulatedFailurePlan, 'failureReason'> & Simulation,
): Promise<void> {
  await deleteFailures(tx, room.roomId)
  if (failureReason !== null) await upsertFailure(tx, { ...room, failureReason })
}

/** To a real tenant the sandbox does not exist. Throws 404 NOT_FOUND. */
export async function requireSandbox(query: Query, tenantId: string): Promise<void> {
  if (await findIsSandbox(query, tenantId)) return
  throw new ServiceError('NOT_FOUND', { note: 'the tenant is no sandbox' })
}
