import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { mediaRoomSpec } from './media-room.ts'

const RETRY_AFTER_SEC = 2

/**
 * Makes a missing media room before a media token for it is issued. Throws 503 SERVICE_UNAVAILABLE when the provider cannot
 * be reached.
 */
export async function ensureMediaRoom(
  { media, clock }: Pick<Deps, 'media' | 'clock'>,
  room: Parameters<typeof mediaRoomSpec>[0],
): Promise<void> {
  await media.ensureRoom(mediaRoomSpec(room, clock())).catch((cause: unknown) => {
    if (!(cause instanceof MediaError)) throw cause
    const headers = { 'retry-after': String(RETRY_AFTER_SEC) }
    throw new ServiceError('SERVICE_UNAVAILABLE', { headers, note: 'media room not ready', cause })
  })
}
