import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import type { Query, Tx } from '../../platform/db/db.ts'

/** A storage key to which a sender may upload a file for one message. */
export interface Upload {
  id: string
  roomId: string
  mediaIdentity: string
  visibility: Visibility
  name: string
  mime: string
  uploadKey: string
}

export async function insertUpload(tx: Tx, upload: Upload): Promise<void> {
  await tx`
    insert into chat_attachments (id, room_id, media_identity, visibility, name, mime, upload_key)
    values (${upload.id}, ${upload.roomId}, ${upload.mediaIdentity}, ${upload.visibility},
            ${upload.name}, ${upload.mime}, ${upload.uploadKey})
  `
}

/** An upload of this sender that no message uses yet. */
export async function findUpload(
  query: Query,
  { id, roomId, mediaIdentity }: Pick<Upload, 'id' | 'roomId' | 'mediaIdentity'>,
): Promise<Upload | undefined> {
  const [upload] = await query<Upload[]>`
    select id, room_id as "roomId", media_identity as "mediaIdentity", visibility, name, mime,
           upload_key as "uploadKey"
      from chat_attachments
     where id = ${id}
       and room_id = ${roomId}
       and media_identity = ${mediaIdentity}
       and message_id is null
  `
  return upload
}

/** Returns false when another message took the upload first. */
export async function markUsed(tx: Tx, id: string, messageId: string): Promise<boolean> {
  const { count } = await tx`
    update chat_attachments set message_id = ${messageId} where id = ${id} and message_id is null
  `
  return count === 1
}

/** Seconds until this sender may ask for another upload. Returns undefined when that is possible now. */
export async function findUploadWaitSec(
  tx: Tx,
  { roomId, mediaIdentity }: { roomId: string; mediaIdentity: string },
  perMin: number,
): Promise<number | undefined> {
  const [row] = await tx<{ waitSec: number }[]>`
    select ceil(extract(epoch from created_at + interval '1 minute' - clock_timestamp()))::integer
             as "waitSec"
      from chat_attachments
     where room_id = ${roomId}
       and media_identity = ${mediaIdentity}
       and created_at > clock_timestamp() - interval '1 minute'
     order by created_at desc
    offset ${perMin - 1}
     limit 1
  `
  return row?.waitSec
}

/** Deletes uploads requested more than a day ago. Returns their storage keys. */
export async function deleteOldUploads(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx<{ uploadKey: string }[]>`
    delete from chat_attachments
     where id = any(array(
             select id from chat_attachments
              where created_at < statement_timestamp() - interval '1 day'
              order by created_at
              limit ${limit}))
    returning upload_key as "uploadKey"
  `
  return rows.map(({ uploadKey }) => uploadKey)
}
