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
  /** A moment, a range, or null for all of the recording. */
  offsetSec: number | null
  endSec: number | null
  /** The comment that it answers. */
  replyTo: string | null
  text: string
  resolvedAt: Date | null
  createdAt: Date
  updatedAt: Date | null
}

function columns(query: Query) {
  return query`
    id, seq, recording_id as "recordingId", viewer_reference as "viewerReference",
    viewer_name as "viewerName", offset_sec as "offsetSec", end_sec as "endSec",
    reply_to as "replyTo", text, resolved_at as "resolvedAt", created_at as "createdAt",
    updated_at as "updatedAt"
  `
}

export async function insertComment(
  tx: Tx,
  { id, tenantId, recordingId, seq, ...said }: Comment & Pick<RecordingKey, 'tenantId'>,
): Promise<void> {
  await tx`
    insert into recording_comments (id, tenant_id, recording_id, seq, viewer_reference, viewer_name,
                                    offset_sec, end_sec, reply_to, text, created_at)
    values (${id}, ${tenantId}, ${recordingId}, ${seq}, ${said.viewerReference}, ${said.viewerName},
            ${said.offsetSec}, ${said.endSec}, ${said.replyTo}, ${said.text}, ${said.createdAt})
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
    select ${columns(query)}
      from recording_comments
     where recording_id = ${recordingId}
       and seq > ${after ?? '0'}::bigint
     order by seq
     limit ${limit + 1}
  `
}

/** A comment of one recording. */
export interface CommentKey extends RecordingKey {
  commentId: string
}

export async function findComment(
  query: Query,
  { tenantId, recordingId, commentId }: CommentKey,
): Promise<Comment | undefined> {
  const [comment] = await query<Comment[]>`
    select ${columns(query)}
      from recording_comments
     where tenant_id = ${tenantId} and recording_id = ${recordingId} and id = ${commentId}
  `
  return comment
}

export async function updateComment(
  tx: Tx,
  { id, offsetSec, endSec, text, resolvedAt, updatedAt }: Comment,
): Promise<void> {
  await tx`
    update recording_comments
       set offset_sec = ${offsetSec}, end_sec = ${endSec}, text = ${text},
           resolved_at = ${resolvedAt}, updated_at = ${updatedAt}
     where id = ${id}
  `
}

/**
 * Deletes a comment of this author, or of anybody if undefined, with its answers. Returns whether the comment is there by
 * another author, who keeps it.
 */
export async function deleteComment(
  tx: Tx,
  { tenantId, recordingId, commentId, author }: CommentKey & { author: string | undefined },
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
