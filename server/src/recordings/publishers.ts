import type { Deps } from '../deps.ts'
import { listRecordedPeople, type RecordedPerson } from './running-store.ts'

/** Moderators and panelists who have a track in the media room now. Throws `MediaError`. */
export async function findPublishers(
  { db, media }: Pick<Deps, 'db' | 'media'>,
  roomId: string,
): Promise<RecordedPerson[]> {
  const connections = (await media.listConnections(roomId)) ?? []
  const identities = connections
    .filter(({ isPerson, isActive, isPublishing }) => isPerson && isActive && isPublishing)
    .map(({ identity }) => identity)
  return listRecordedPeople(db, { roomId, identities })
}
