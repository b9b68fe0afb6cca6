import { json, type Tx } from '../../../platform/db/db.ts'

interface PeopleOfRoom {
  roomId: string
  participantIds: readonly string[]
}

/**
 * Erases a person's data besides the recordings of a locked room: published tracks, voices, segments and reports. Returns the
 * keys of the voices.
 */
export async function eraseTraces(tx: Tx, traces: PeopleOfRoom): Promise<string[]> {
  await deleteTracksOf(tx, traces)
  const voiceKeys = await deleteVoicesOf(tx, traces)
  await forgetPeopleOfSegments(tx, traces)
  await forgetPeopleOfReports(tx, traces)
  return voiceKeys
}

/** Their entries must still exist. */
async function deleteVoicesOf(tx: Tx, { roomId, participantIds }: PeopleOfRoom): Promise<string[]> {
  const rows = await tx<{ key: string }[]>`
    delete from recording_voices v
     using recordings r
     where r.id = v.recording_id and r.room_id = ${roomId}
       and v.media_identity in (select e.media_identity
                                  from entry_histories e
                                 where e.room_id = ${roomId}
                                   and e.participant_id = any(${[...participantIds]}::uuid[]))
    returning v.storage_key as key
  `
  return rows.map(({ key }) => key)
}

/** Their entries must still exist. */
async function deleteTracksOf(tx: Tx, { roomId, participantIds }: PeopleOfRoom): Promise<void> {
  await tx`
    delete from published_tracks t
     using entry_histories e
     where t.room_id = ${roomId} and e.room_id = t.room_id and e.media_sid = t.media_sid
       and e.participant_id = any(${[...participantIds]}::uuid[])
  `
}

/** Removes the person from segments, which outlive their recording until the provider has ended them. */
async function forgetPeopleOfSegments(
  tx: Tx,
  { roomId, participantIds }: PeopleOfRoom,
): Promise<void> {
  await tx`
    update recording_segments
       set participant_id = null, media_identity = null, display_name = null
     where room_id = ${roomId} and participant_id = any(${[...participantIds]}::uuid[])
  `
}

async function forgetPeopleOfReports(
  tx: Tx,
  { roomId, participantIds }: PeopleOfRoom,
): Promise<void> {
  const nobody = json({ mediaIdentity: '', participantId: null, displayName: '' })
  const isTheirs = tx`p.value ->> 'participantId' = any(${[...participantIds]})`
  await tx`
    update recording_reports r
       set people = (select jsonb_agg(case when ${isTheirs} then p.value || ${nobody}::jsonb
                                           else p.value end
                                      order by p.ordinality)
                       from jsonb_array_elements(r.people) with ordinality p)
      from recordings c
     where c.id = r.recording_id and c.room_id = ${roomId}
       and exists (select 1 from jsonb_array_elements(r.people) p where ${isTheirs})
  `
}
