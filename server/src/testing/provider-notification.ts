import { createHash, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Logger } from 'pino'
import { expect } from 'vitest'
import type { App } from '../api/http/app-types.ts'
import { applyNotificationsJob } from '../domain/notifications/apply-notifications.job.ts'
import type { LivekitKey } from '../platform/config/config.ts'
import type { Deps } from '../platform/ports/deps.ts'
import type { Egress } from '../platform/ports/egress.ts'
import type { ControlPlane } from './control-plane.ts'
import { runJobs } from './run-jobs.ts'

const TOKEN_LIFE_MS = 5 * 60_000

/** The token that the provider sends with this body. */
export async function signNotification(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  body: string,
  { apiKey, apiSecret }: LivekitKey = config.livekit,
): Promise<string> {
  return new SignJWT({ sha256: createHash('sha256').update(body).digest('base64') })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(apiKey)
    .setExpirationTime(new Date(clock().getTime() + TOKEN_LIFE_MS))
    .sign(new TextEncoder().encode(apiSecret))
}

/** Sends the body as the provider does; returns the status. */
export async function postNotification(
  app: Pick<App, 'inject'>,
  body: string,
  authorization?: string,
): Promise<number> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/provider-events',
    headers: {
      'content-type': 'application/webhook+json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    payload: body,
  })
  return answer.statusCode
}

/** Delivers the provider's notification about an egress in this state, and applies it. */
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

/** Members without a value are left out, and so is the first status. */
function infoOf({
  egressId,
  mediaRoom,
  status,
  file,
  hasUploadFailed,
  hasRecorderFailed,
  ...times
}: Egress): object {
  const size = file && { size: String(file.sizeBytes), duration: String(file.durationSec * 1e9) }
  return {
    egressId,
    roomName: mediaRoom,
    ...(status !== 'starting' && { status: `EGRESS_${status.toUpperCase()}` }),
    ...(times.startedAt && { startedAt: ns(times.startedAt) }),
    ...(times.updatedAt && { updatedAt: ns(times.updatedAt) }),
    ...(times.endedAt && { endedAt: ns(times.endedAt) }),
    ...(hasUploadFailed && { error: 'S3 upload failed: no such bucket' }),
    ...(hasRecorderFailed && { details: 'End reason: Process killed; the worker was restarted' }),
    ...(size && { fileResults: [{ ...size, filename: 'x' }] }),
  }
}

const ns = (at: Date) => `${at.getTime()}000000`
