import type { Presentation } from '@interview-room/contract/live-stream.ts'
import type { Query } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { presentHandout } from './present.ts'
import { findShownHandout } from './store.ts'

/** What the room is shown now, with an address that holds until its end; null for nothing. */
export async function findPresentation(
  deps: Pick<Deps, 'storage' | 'clock'>,
  query: Query,
  roomId: string,
): Promise<Presentation> {
  const shown = await findShownHandout(query, roomId)
  if (shown === undefined) return null
  const { handout, endsAt, playback } = shown
  const { file_name, file_url, content_type } = await presentHandout(deps, handout, { endsAt })
  return {
    handout_id: handout.id,
    file_name,
    file_url,
    content_type,
    playback: playback && {
      position_sec: playback.positionSec,
      is_playing: playback.isPlaying,
      at: playback.at.toISOString(),
    },
  }
}
