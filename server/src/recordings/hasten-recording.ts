import type { Deps } from '../deps.ts'
import { MediaError } from '../media/media.ts'
import { startRequested } from './start-requested.ts'

/** What was asked for is in rows, and a job brings it to the provider: this only spares its turn. */
export async function hastenRecording(
  deps: Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>,
  roomId: string,
): Promise<void> {
  try {
    await startRequested(deps, roomId)
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    deps.log.warn({ err: error, room: roomId }, 'a recording is not where it should be yet')
  }
}
