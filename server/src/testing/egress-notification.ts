import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { expect } from 'vitest'
import { applyNotificationsJob } from '../domain/notifications/apply-notifications.job.ts'
import type { Egress } from '../platform/ports/egress.ts'
import type { ControlPlane } from './control-plane.ts'
import { postNotification, signNotification } from './provider-notification.ts'
import { runJobs } from './run-jobs.ts'

/** What the provider reports about an egress in this state, received and applied. */
export async function notifyOfEgress(
  plane: ControlPlane,
  egress: Egress,
  log: Logger = plane.deps.log,
): Promise<void> {
  const event = { id: `EV_${randomUUID()}`, event: 'egress_updated', egressInfo: infoOf(egress) }
  const body = JSON.stringify(event)
  const authorization = await signNotification(plane.deps, body)
  expect(await postNotification(plane.app, body, authorization)).toBe(200)
  await runJobs(plane.database.db, applyNotificationsJob({ ...plane.deps, log }))
}

/** Members that have no value are left out, and so is the first status. */
function infoOf({ egressId, mediaRoom, status, file, hasUploadFailed, ...times }: Egress): object {
  const size = file && { size: String(file.sizeBytes), duration: String(file.durationSec * 1e9) }
  return {
    egressId,
    roomName: mediaRoom,
    ...(status !== 'starting' && { status: `EGRESS_${status.toUpperCase()}` }),
    ...(times.startedAt && { startedAt: ns(times.startedAt) }),
    ...(times.updatedAt && { updatedAt: ns(times.updatedAt) }),
    ...(times.endedAt && { endedAt: ns(times.endedAt) }),
    ...(hasUploadFailed && { error: 'S3 upload failed: no such bucket' }),
    ...(size && { fileResults: [{ ...size, filename: 'x' }] }),
  }
}

const ns = (at: Date) => `${at.getTime()}000000`
