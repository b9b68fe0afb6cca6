import type { WebhookType } from '@interview-room/contract/webhooks.ts'
import type { Query, Tx } from '../db/db.ts'
import { ServiceError } from '../lib/service-error.ts'
import {
  ageConnections,
  ageEgresses,
  deleteFailures,
  findIsSandbox,
  findSimulationOf,
  type Simulation,
  type SimulatedFailurePlan,
  upsertFailure,
} from './store.ts'

/** A failure that a trigger planned. Its message is a fixed sentence. */
export class SimulatedFailure extends Error {
  override name = 'SimulatedFailure'
  /** The failure reason that the webhook reports. */
  readonly reason: string

  constructor(reason: string) {
    super('fails as a trigger of the sandbox asked for')
    this.reason = reason
  }
}

/** How work in a room is simulated; undefined for rooms of real tenants. */
export async function findSimulation(
  query: Query,
  subject: { roomId: string; type: WebhookType },
): Promise<Simulation | undefined> {
  return findSimulationOf(query, subject)
}

/** Throws `SimulatedFailure` if a trigger planned one of these reasons, or any. */
export async function failIfTriggered(
  query: Query,
  { reasons, ...subject }: { roomId: string; type: WebhookType; reasons?: readonly string[] },
): Promise<void> {
  const reason = (await findSimulationOf(query, subject))?.failureReason ?? null
  if (reason === null || reasons?.includes(reason) === false) return
  throw new SimulatedFailure(reason)
}

/** Sets the planned failure of a room, in place of an earlier one. */
export async function planFailure(
  tx: Tx,
  { failureReason, ...room }: Omit<SimulatedFailurePlan, 'failureReason'> & Simulation,
): Promise<void> {
  await deleteFailures(tx, room.roomId)
  if (failureReason !== null) await upsertFailure(tx, { ...room, failureReason })
}

/** Moves the connections and recorders in these rooms into the past, as the provider reports them. */
export async function ageSimulation(
  tx: Tx,
  moved: { mediaRooms: readonly string[]; seconds: number },
): Promise<void> {
  await ageConnections(tx, moved)
  await ageEgresses(tx, moved)
}

/** The sandbox does not exist for a real tenant. Throws 404 NOT_FOUND. */
export async function requireSandbox(query: Query, tenantId: string): Promise<void> {
  if (await findIsSandbox(query, tenantId)) return
  throw new ServiceError('NOT_FOUND', { note: 'the tenant is no sandbox' })
}
