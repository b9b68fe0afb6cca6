import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { Presentation } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Query } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { type Handout, publicFileName } from './handout.ts'
import { presentHandout } from './present.ts'
import { listPresentationEvents } from './presentation-store.ts'
import { type PastPresentation, presentationsOf } from './presentation.ts'
import { findShownHandout, type Shown } from './store.ts'

type PresentDeps = Pick<Deps, 'storage' | 'clock'>

/**
 * The presented handout. Roles that list handouts get its file name. Everybody else gets it without the name, also in the
 * address of the file.
 */
export interface RoomPresentation {
  named: Presentation
  unnamed: Presentation
}

const NOTHING_SHOWN: RoomPresentation = { named: null, unnamed: null }

/** The handout presented now, with addresses that are valid until the room's end. */
export async function findPresentation(
  deps: PresentDeps,
  query: Query,
  roomId: string,
): Promise<RoomPresentation> {
  const shown = await findShownHandout(query, roomId)
  if (shown === undefined) return NOTHING_SHOWN
  const { handout } = shown
  return {
    named: await present(deps, shown, handout),
    unnamed: await present(deps, shown, { ...handout, fileName: publicFileName(handout) }),
  }
}

/** The presentation as this role may see it. */
export function presentationFor(role: Role, { named, unnamed }: RoomPresentation): Presentation {
  return CAPABILITIES[role].canListHandouts ? named : unnamed
}

async function present(
  deps: PresentDeps,
  { endsAt, playback }: Shown,
  handout: Handout,
): Promise<Presentation> {
  const { id, title, file_name, file_url, content_type } = await presentHandout(deps, handout, {
    endsAt,
    isShown: true,
  })
  return {
    handout_id: id,
    title,
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

/** Everything presented in a room so far, in order. */
export async function listPresentations(query: Query, roomId: string): Promise<PastPresentation[]> {
  return presentationsOf(await listPresentationEvents(query, roomId))
}
