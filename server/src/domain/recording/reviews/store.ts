import type { Query, Tx } from '../../../platform/db/db.ts'
import type { PageRequest } from '../../../platform/ports/paging.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import type { Viewer } from './viewer.ts'

// Comments ---------------------------------------------------------------------------------------

export interface Comment {
  id: string
  seq: bigint
  recordingId: string
  viewerReference: string
  viewerName: string
  offsetSec: number | null
  text: string
  createdAt: Date
  updatedAt: Date | null
}

export async function insertComment(
  tx: Tx,
  { id, tenantId, recordingId, seq, ...said }: Comment & Pick<RecordingKey, 'tenantId'>,
): Promise<void> {
  await tx`
    insert into recording_comments (id, tenant_id, recording_id, seq, viewer_reference, viewer_name,
                                    offset_sec, text, created_at)
    values (${id}, ${tenantId}, ${recordingId}, ${seq}, ${said.viewerReference}, ${said.viewerName},
            ${said.offsetSec}, ${said.text}, ${said.createdAt})
  `
}

export async function countComments(query: Query, recordingId: string): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::int as count from recording_comments where recording_id = ${recordingId}
  `
  return row?.count ?? 0
}

/** Oldest first. Reads one more than the limit. */
export async function listComments(
  query: Query,
  { recordingId, after, limit }: PageRequest & { recordingId: string },
): Promise<Comment[]> {
  return query<Comment[]>`
    select id, seq, recording_id as "recordingId", viewer_reference as "viewerReference",
           viewer_name as "viewerName", offset_sec as "offsetSec", text, created_at as "createdAt",
           updated_at as "updatedAt"
      from recording_comments
     where recording_id = ${recordingId}
       and seq > ${after ?? '0'}::bigint
     order by seq
     limit ${limit + 1}
  `
}

/** A comment of one recording; `author` is a viewer's reference, or undefined for anybody. */
export interface CommentKey extends RecordingKey {
  commentId: string
  author: string | undefined
}

/** Returns undefined if there is none of this author. */
export async function changeComment(
  tx: Tx,
  { tenantId, recordingId, commentId, author }: CommentKey,
  {
    text,
    offsetSec,
    at,
  }: { text: string | undefined; offsetSec: number | null | undefined; at: Date },
): Promise<Comment | undefined> {
  const [comment] = await tx<Comment[]>`
    update recording_comments
       set text = coalesce(${text ?? null}, text),
           offset_sec = ${offsetSec === undefined ? tx`offset_sec` : tx`${offsetSec}::double precision`},
           updated_at = ${at}
     where tenant_id = ${tenantId} and recording_id = ${recordingId} and id = ${commentId}
       and viewer_reference = ${author ?? null}
    returning id, seq, recording_id as "recordingId", viewer_reference as "viewerReference",
              viewer_name as "viewerName", offset_sec as "offsetSec", text,
              created_at as "createdAt", updated_at as "updatedAt"
  `
  return comment
}

/** Returns whether the comment is there by another author, who keeps it. */
export async function deleteComment(
  tx: Tx,
  { tenantId, recordingId, commentId, author }: CommentKey,
): Promise<boolean> {
  await tx`
    delete from recording_comments
     where tenant_id = ${tenantId} and recording_id = ${recordingId} and id = ${commentId}
       and (${author ?? null}::text is null or viewer_reference = ${author ?? null})
  `
  const rows = await tx`
    select 1 from recording_comments
     where tenant_id = ${tenantId} and recording_id = ${recordingId} and id = ${commentId}
  `
  return rows.length > 0
}

export async function deleteCommentsOf(tx: Tx, recordingId: string): Promise<void> {
  await tx`delete from recording_comments where recording_id = ${recordingId}`
}

// Viewer tokens ----------------------------------------------------------------------------------

type TokenKey = Pick<Viewer, 'tenantId' | 'jti'>

export async function isRevoked(query: Query, { tenantId, jti }: TokenKey): Promise<boolean> {
  const rows = await query`
    select 1 from revoked_viewer_tokens where tenant_id = ${tenantId} and jti = ${jti}
  `
  return rows.length > 0
}

export async function insertRevocation(
  query: Query,
  { tenantId, jti, at }: TokenKey & { at: Date },
): Promise<void> {
  await query`
    insert into revoked_viewer_tokens (tenant_id, jti, revoked_at)
    values (${tenantId}, ${jti}, ${at})
    on conflict (tenant_id, jti) do update set revoked_at = excluded.revoked_at
  `
}

/** Deletes the oldest revocations of tokens that ended before that time. Returns their number. */
export async function deleteRevocations(
  query: Query,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { count } = await query`
    delete from revoked_viewer_tokens
     where (tenant_id, jti) in (
             select tenant_id, jti from revoked_viewer_tokens
              where revoked_at < ${before}
              order by revoked_at
              limit ${limit})
  `
  return count
}
