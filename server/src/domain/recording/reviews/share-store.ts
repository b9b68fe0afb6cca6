import type { Query, Tx } from '../../../platform/db/db.ts'
import type { PageRequest } from '../../../platform/ports/paging.ts'
import type { Share } from './share.ts'

export interface ShareKey {
  tenantId: string
  shareId: string
}

function columns(query: Query) {
  return query`
    id, tenant_id as "tenantId", recording_id as "recordingId", clip_id as "clipId",
    is_reel as "isReel", watermark, seq, may,
    viewer_reference as "viewerReference", viewer_name as "viewerName",
    viewer_token_id as "viewerTokenId", password_salt as "passwordSalt",
    password_hash as "passwordHash", views, last_viewed_at as "lastViewedAt",
    expires_at as "expiresAt", revoked_at as "revokedAt", created_at as "createdAt"
  `
}

export async function insertShare(tx: Tx, share: Share): Promise<void> {
  await tx`
    insert into review_shares (id, tenant_id, recording_id, clip_id, is_reel, watermark, seq,
                               may, viewer_reference,
                               viewer_name, viewer_token_id, password_salt, password_hash,
                               expires_at, created_at)
    values (${share.id}, ${share.tenantId}, ${share.recordingId}, ${share.clipId},
            ${share.isReel}, ${share.watermark}, ${share.seq},
            ${share.may}, ${share.viewerReference}, ${share.viewerName}, ${share.viewerTokenId},
            ${share.passwordSalt}, ${share.passwordHash}, ${share.expiresAt}, ${share.createdAt})
  `
}

export async function findShare(
  query: Query,
  { tenantId, shareId }: ShareKey,
): Promise<Share | undefined> {
  const [row] = await query<Share[]>`
    select ${columns(query)} from review_shares where id = ${shareId} and tenant_id = ${tenantId}
  `
  return row
}

/** Oldest first. Reads one more than the limit. */
export async function listShares(
  query: Query,
  { recordingId, after, limit }: PageRequest & { recordingId: string },
): Promise<Share[]> {
  return query<Share[]>`
    select ${columns(query)}
      from review_shares
     where recording_id = ${recordingId}
       and seq > ${after ?? '0'}::bigint
     order by seq
     limit ${limit + 1}
  `
}

/** The links to a recording that work. */
export async function countShares(query: Query, recordingId: string, now: Date): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::int as count
      from review_shares
     where recording_id = ${recordingId} and revoked_at is null and expires_at > ${now}
  `
  return row?.count ?? 0
}

/** True while the link works: neither it nor the viewer token that it was made with has ended. */
export async function isShareOpen(
  query: Query,
  { tenantId, shareId }: ShareKey,
  now: Date,
): Promise<boolean> {
  const rows = await query`
    select 1
      from review_shares s
     where s.id = ${shareId} and s.tenant_id = ${tenantId}
       and s.revoked_at is null and s.expires_at > ${now}
       and not exists (select 1
                         from revoked_viewer_tokens t
                        where t.tenant_id = s.tenant_id and t.jti = s.viewer_token_id)
  `
  return rows.length === 1
}

/** Returns false if there is no such link. */
export async function markRevoked(
  query: Query,
  { tenantId, shareId }: ShareKey,
  at: Date,
): Promise<boolean> {
  const { count } = await query`
    update review_shares
       set revoked_at = coalesce(revoked_at, ${at})
     where id = ${shareId} and tenant_id = ${tenantId}
  `
  return count === 1
}

export async function countView(query: Query, { id }: Share, at: Date): Promise<void> {
  await query`update review_shares set views = views + 1, last_viewed_at = ${at} where id = ${id}`
}

export async function deleteSharesOf(tx: Tx, recordingId: string): Promise<void> {
  await tx`delete from review_shares where recording_id = ${recordingId}`
}
