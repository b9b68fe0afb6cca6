import type { Deps } from '../deps.ts'
import { listRecordedPeople, type RecordedPerson } from './running-store.ts'

/** Moderators and panelists in the media room now; `publishers` have a track. Throws `MediaError`. */
export async function findRecordable(
  { db, media }: Pick<Deps, 'db' | 'media'>,
  roomId: string,
): Promise<{ all: RecordedPerson[]; publishers: RecordedPerson[] }> {
  const people = ((await media.listConnections(roomId)) ?? []).filter(
    ({ isPerson, isActive }) => isPerson && isActive,
  )
  const identities = people.map(({ identity }) => identity)
  const all = await listRecordedPeople(db, { roomId, identities })
  const publishing = new Set(people.flatMap((each) => (each.isPublishing ? each.identity : [])))
  const publishers = all.filter(({ mediaIdentity }) => publishing.has(mediaIdentity))
  return { all, publishers }
}

/** Those of them who have a track. Throws `MediaError`. */
export async function findPublishers(
  deps: Pick<Deps, 'db' | 'media'>,
  roomId: string,
): Promise<RecordedPerson[]> {
  return (await findRecordable(deps, roomId)).publishers
}
