import { displayNameOf } from '@interview-room/contract/display-name.ts'
import { SHARE_DEFAULT_SEC, SHARES_MAX } from '@interview-room/contract/limits.ts'
import type { OpenedShareBody, ShareBody, ShareRequest } from '@interview-room/contract/shares.ts'
import type { Query, Tx } from '../../../platform/db/db.ts'
import { refuseField, ServiceError } from '../../../platform/lib/service-error.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import {
  bearerOf,
  createSignedTokens,
  unauthorized,
} from '../../../platform/service-keys/signed-tokens.ts'
import { nextRoomMoment } from '../../room-log/room-clock.ts'
import { recordingIdsOf } from '../clips/clip.ts'
import { readClip } from '../clips/read-clips.ts'
import { lockRecording } from '../recordings/lock-recording.ts'
import { isReady, type RecordingKey } from '../recordings/recording.ts'
import { requireReviewed } from './require-reviewed.ts'
import type { ReviewLinks } from './review-links.ts'
import { type HashedPassword, hashPassword, isPassword } from './share-password.ts'
import {
  countShares,
  countView,
  findShare,
  insertShare,
  isShareOpen,
  markRevoked,
  type ShareKey,
} from './share-store.ts'
import type { Share } from './share.ts'
import type { Viewer } from './viewer.ts'

export { listShares } from './share-store.ts'

const TYPE = 'share-link+jwt'
/** Validity of what an open link gives, in seconds: a working day. The page then opens the link again. */
const OPENED_SEC = 12 * 60 * 60

type ShareDeps = Pick<Deps, 'db' | 'clock' | 'serviceKeys' | 'config'>

export interface Shares {
  present(share: Share): Promise<ShareBody>
  /** The link that a request carries. Throws 401 UNAUTHORIZED unless it is this one, and works. */
  verify(authorization: string | undefined, shareId: string): Promise<Share>
}

/** Links that anybody can open. The token in the address is signed, so nobody can guess one. */
export function createShares({ db, clock, ...deps }: ShareDeps): Shares {
  const tokens = createSignedTokens({ clock, ...deps }, TYPE)

  /** The page reads from `asks` what it has to ask for before it opens the link. */
  async function urlOf({ id, tenantId, expiresAt, ...share }: Share): Promise<string> {
    const asks = [
      ...(share.passwordHash === null ? [] : ['password']),
      ...(share.may.includes('comment') ? ['name'] : []),
    ]
    const lifeSec = Math.max(1, Math.round((expiresAt.getTime() - clock().getTime()) / 1000))
    const { token } = await tokens.sign({ tenant: tenantId }, { subject: id, lifeSec })
    const question = asks.length === 0 ? '' : `&asks=${asks.join(',')}`
    return `${deps.config.publicUrl}/s/${id}#token=${token}${question}`
  }

  return {
    async present(share) {
      const { viewerReference: reference, viewerName: name } = share
      return {
        id: share.id,
        recording_id: share.recordingId,
        ...presentOpened(share),
        url: await urlOf(share),
        may: share.may,
        has_password: share.passwordHash !== null,
        viewer: reference === null || name === null ? null : { reference, name },
        views: share.views,
        last_viewed_at: share.lastViewedAt?.toISOString() ?? null,
        created_at: share.createdAt.toISOString(),
        expires_at: share.expiresAt.toISOString(),
        revoked_at: share.revokedAt?.toISOString() ?? null,
      }
    },

    async verify(authorization, shareId) {
      const { sub, tenant } = await tokens.verify(bearerOf(authorization))
      const key = { tenantId: String(tenant), shareId: sub }
      const isOpen = sub === shareId && (await isShareOpen(db, key, clock()))
      const share = isOpen ? await findShare(db, key) : undefined
      if (share === undefined) throw unauthorized('the link has ended, or is another one')
      return share
    },
  }
}

function presentOpened({ clipId, isReel }: Pick<Share, 'clipId' | 'isReel'>) {
  return isReel ? { clip_id: null, reel_id: clipId } : { clip_id: clipId, reel_id: null }
}

interface ShareOrder {
  clipId: string | null
  reelId: string | null
  may: Share['may']
  lifeSec: number
  password: HashedPassword | null
}

/** Reads a request. Hashing a password takes a while, so no transaction should wait for it. */
export async function orderOf({
  clip_id: clipId = null,
  reel_id: reelId = null,
  may = ['watch'],
  expires_in_seconds: lifeSec = SHARE_DEFAULT_SEC,
  password = null,
}: ShareRequest): Promise<ShareOrder> {
  return {
    clipId,
    reelId,
    may,
    lifeSec,
    password: password === null ? null : await hashPassword(password),
  }
}

/**
 * Makes a link. It allows no more than the viewer may who makes it, and not for longer. Throws 404 NOT_FOUND, 409
 * RECORDING_NOT_AVAILABLE, 422 VALIDATION_ERROR for a clip and a reel at once, an ability that the viewer has not, or when the
 * recording has the maximum number of links.
 */
export async function createShare(
  tx: Tx,
  { maker, clock, ...key }: RecordingKey & { maker: Viewer | null; clock: Deps['clock'] },
  { clipId: ofClip, reelId, may, lifeSec, password }: ShareOrder,
): Promise<Share> {
  const recording = await lockRecording(tx, key)
  if (!isReady(recording)) throw new ServiceError('RECORDING_NOT_AVAILABLE')
  if (ofClip !== null && reelId !== null) {
    throw refuseShare('reel_id', 'NOT_ALLOWED', 'must be absent beside clip_id')
  }
  const clipId = reelId ?? ofClip
  const isReel = reelId !== null
  await refuseForeignClip(tx, { ...key, clipId, isReel, maker })
  const given = may.filter((ability) => ability !== 'watch')
  const isTooMuch = maker !== null && given.some((ability) => !maker.may.includes(ability))
  if (isTooMuch || (clipId !== null && given.length > 0)) {
    throw refuseShare(
      'may',
      'NOT_ALLOWED',
      'must not allow more than you may, and of a clip or reel watch only',
    )
  }
  const now = clock()
  if ((await countShares(tx, key.recordingId, now)) >= SHARES_MAX) {
    throw refuseShare(
      'body',
      'QUOTA_EXCEEDED',
      `a recording may have ${SHARES_MAX} links: revoke one first`,
    )
  }
  const { seq } = await nextRoomMoment(tx, recording)
  const endMs = now.getTime() + lifeSec * 1000
  const share: Share = {
    id: uuidv7(now.getTime()),
    ...key,
    clipId,
    isReel,
    watermark: maker?.watermark ?? null,
    seq,
    may,
    viewerReference: maker?.reference ?? null,
    viewerName: maker?.displayName ?? null,
    viewerTokenId: maker?.jti ?? null,
    passwordSalt: password?.salt ?? null,
    passwordHash: password?.hash ?? null,
    views: 0,
    lastViewedAt: null,
    expiresAt: new Date(Math.min(endMs, maker?.expiresAt.getTime() ?? endMs)),
    revokedAt: null,
    createdAt: now,
  }
  await insertShare(tx, share)
  return share
}

/** Throws 404 NOT_FOUND for what does not show the recording, or shows others that the maker may not see. */
async function refuseForeignClip(
  tx: Tx,
  {
    tenantId,
    recordingId,
    clipId,
    isReel,
    maker,
  }: RecordingKey & { clipId: string | null; isReel: boolean; maker: Viewer | null },
): Promise<void> {
  if (clipId === null) return
  const shown = recordingIdsOf(await readClip(tx, { tenantId, clipId, isReel }))
  if (!shown.includes(recordingId)) throw new ServiceError('NOT_FOUND')
  if (maker === null) return
  for (const each of shown) await requireReviewed(tx, maker, { recordingId: each, clipId })
}

function refuseShare(
  field: string,
  code: 'NOT_ALLOWED' | 'QUOTA_EXCEEDED',
  message: string,
): ServiceError {
  return refuseField('VALIDATION_ERROR', { field, code, message })
}

/** Ends a link; one that has ended stays as it is. Throws 404 NOT_FOUND. */
export async function revokeShare(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key: ShareKey,
): Promise<void> {
  if (!(await markRevoked(db, key, clock()))) throw new ServiceError('NOT_FOUND')
}

/** The recording of a link. Throws 404 NOT_FOUND. */
export async function readRecordingOfShare(query: Query, key: ShareKey): Promise<RecordingKey> {
  const share = await findShare(query, key)
  if (share === undefined) throw new ServiceError('NOT_FOUND')
  return { tenantId: share.tenantId, recordingId: share.recordingId }
}

/**
 * Opens a link: counts the view, and gives a viewer token for what it opens. Somebody without a name does not comment. Throws 422
 * VALIDATION_ERROR for a missing or wrong password.
 */
export async function openShare(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  share: Share,
  { links, name, password }: { links: ReviewLinks; name?: string; password?: string },
): Promise<OpenedShareBody> {
  await refuseWrongPassword(share, password)
  const now = clock()
  await countView(db, share, now)
  const displayName = displayNameOf(name)
  const { tenantId, recordingId, clipId, isReel } = share
  const leftSec = Math.floor((share.expiresAt.getTime() - now.getTime()) / 1000)
  const { token, expiresAt } = await links.issue(
    {
      tenantId,
      // Two people who open one link are two viewers.
      reference: `link ${uuidv7(now.getTime())}`,
      displayName: displayName ?? 'Guest',
      scope: clipId === null ? { recordingId } : { recordingId, clipId, isReel },
      may: share.may.filter((ability) => ability !== 'comment' || displayName !== undefined),
      watermark: share.watermark,
      shareId: share.id,
    },
    Math.max(1, Math.min(OPENED_SEC, leftSec)),
  )
  return {
    recording_id: recordingId,
    ...presentOpened(share),
    token,
    expires_at: expiresAt.toISOString(),
  }
}

async function refuseWrongPassword(
  { passwordSalt: salt, passwordHash: hash }: Share,
  password: string | undefined,
): Promise<void> {
  if (salt === null || hash === null) return
  if (password === undefined) {
    const message = 'is required for this link'
    throw refuseField('VALIDATION_ERROR', { field: 'password', code: 'REQUIRED', message })
  }
  if (await isPassword(password, { salt, hash })) return
  const message = 'is not the password of this link'
  throw refuseField('VALIDATION_ERROR', { field: 'password', code: 'PASSWORD_WRONG', message })
}
