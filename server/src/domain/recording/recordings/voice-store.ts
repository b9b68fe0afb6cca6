import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Query, Tx } from '../../../platform/db/db.ts'

/** The stored sound of one person alone, in the time of the recording's file. */
export interface StoredVoice {
  mediaIdentity: string
  storageKey: string
  sizeBytes: number
}

export async function insertVoices(
  tx: Tx,
  recordingId: string,
  voices: readonly StoredVoice[],
): Promise<void> {
  for (const { mediaIdentity, storageKey, sizeBytes } of voices) {
    await tx`
      insert into recording_voices (recording_id, media_identity, storage_key, size_bytes)
      values (${recordingId}, ${mediaIdentity}, ${storageKey}, ${sizeBytes})
    `
  }
}

/** A voice with the person, who is unknown if they never entered by a link. */
export interface PersonVoice {
  storageKey: string
  participantId: string | null
  role: Role | null
  displayName: string | null
}

/** Moderators, then panelists, each by their first entry. */
export async function listVoices(query: Query, recordingId: string): Promise<PersonVoice[]> {
  return query<PersonVoice[]>`
    select v.storage_key as "storageKey", first.participant_id as "participantId", first.role,
           first.name as "displayName"
      from recording_voices v
      join recordings r on r.id = v.recording_id
      left join lateral (select participant_id, role, name, seq
                           from entry_histories e
                          where e.room_id = r.room_id and e.media_identity = v.media_identity
                          order by seq
                          limit 1) as first on true
     where v.recording_id = ${recordingId}
     order by first.role, first.seq, v.media_identity
  `
}

export async function deleteVoicesOf(tx: Tx, recordingId: string): Promise<void> {
  await tx`delete from recording_voices where recording_id = ${recordingId}`
}
