import type { Tx } from '../../platform/db/db.ts'

export interface ErasedMessages {
  ids: string[]
  /** Objects that no row names any more. */
  objectKeys: string[]
}

/** Deletes everything sent under these media identities, without tombstones: those name the sender. */
export async function deleteMessagesOf(
  tx: Tx,
  { roomId, identities }: { roomId: string; identities: readonly string[] },
): Promise<ErasedMessages> {
  const sender = [...identities]
  await tx`
    delete from chat_tombstones where room_id = ${roomId} and media_identity = any(${sender})
  `
  const [erased] = await tx<ErasedMessages[]>`
    with messages as (
      delete from chat_messages
       where room_id = ${roomId}
         and (media_identity = any(${sender}) or participant_id::text = any(${sender}))
      returning id, attachment_key as key
    ), uploads as (
      delete from chat_attachments where room_id = ${roomId} and media_identity = any(${sender})
      returning upload_key as key
    )
    select coalesce((select array_agg(id) from messages), '{}') as ids,
           coalesce((select array_agg(key) from (select key from messages
                                                 union all select key from uploads) k
                      where key is not null), '{}') as "objectKeys"
  `
  if (erased === undefined) throw new Error('an aggregate answered no row')
  return erased
}
