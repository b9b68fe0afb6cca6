import { Type } from 'typebox'
import { noteRefusals } from '../../domain/notifications/note-refusal.ts'
import { readEnvelope } from '../../domain/notifications/notification.ts'
import { takeNotification } from '../../domain/notifications/take-notification.ts'
import { judgeNotification } from '../../domain/notifications/verify-notification.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'

/** The end of a recording lists every file, and a participant carries metadata of up to 64 KiB. */
const BODY_MAX_BYTES = 1024 * 1024

const REASONS = { of_another_time: 'time', refused: 'signature' } as const
const REFUSALS = {
  of_another_time: 'notification of another time: check the clock of the provider',
  refused: 'notification signature invalid: check that the provider has the same API key',
}

/**
 * The address for the media provider's notifications. The provider gives up after some seconds and
 * takes a 401 as final, so: verify, store, answer; a job applies.
 */
export async function providerRoutes(
  app: App,
  { db, clock, config, log, metrics }: Pick<Deps, 'db' | 'clock' | 'config' | 'log' | 'metrics'>,
): Promise<void> {
  // The digest is over the raw bytes, whatever type they are said to be.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => body,
  )

  const noteRefusal = noteRefusals(db)

  app.post(
    '/provider-events',
    { bodyLimit: BODY_MAX_BYTES, schema: { response: { 200: Type.Any() } } },
    async ({ body, headers, url }) => {
      const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
      const expected = { keys: config.livekit.acceptedKeys, now: clock() }
      const verdict = await judgeNotification(raw, headers.authorization, expected)
      if (verdict !== 'authentic') {
        metrics.notifications.inc({ result: 'refused' })
        log.error(REFUSALS[verdict])
        noteRefusal({ reason: REASONS[verdict], path: pathOf(url) })
        throw new ServiceError('UNAUTHORIZED')
      }
      const text = raw.toString('utf8')
      const envelope = readEnvelope(text)
      if (envelope === undefined || text.includes('\0')) throw new ServiceError('INVALID_REQUEST')
      // Two come in five seconds from each room, and nothing follows from them.
      if (!envelope.isOfMask) await takeNotification(db, { ...envelope, body: text })
      metrics.notifications.inc({ result: 'accepted' })
      return { success: true, data: null }
    },
  )
}

const NOTIFICATION_TYPE = 'application/webhook+json'

/** Notes notifications that come to an address that is not there. */
export function noteMisdirected(app: App, { db }: Pick<Deps, 'db'>): void {
  const noteRefusal = noteRefusals(db)
  app.addHook('onResponse', ({ method, headers, url }, { statusCode }, done) => {
    const isLost = method === 'POST' && (statusCode === 404 || statusCode === 405)
    if (isLost && headers['content-type'] === NOTIFICATION_TYPE) {
      noteRefusal({ reason: 'path', path: pathOf(url) })
    }
    done()
  })
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
