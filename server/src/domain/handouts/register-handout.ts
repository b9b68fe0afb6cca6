import type { HandoutRequest } from '@interview-room/contract/handouts.ts'
import type { Tx } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { uuidv7 } from '../../platform/lib/uuid.ts'
import { claimObject } from '../../platform/storage/unclaimed-object.ts'
import type { SessionKey } from '../booking/session.ts'
import { nextRoomMoment } from '../room-log/room-clock.ts'
import { type Handout, keysOf } from './handout.ts'
import { type LockedHandout, lockHandoutSession, refusePresented } from './lock-handout.ts'
import { renditionRequest } from './make-rendition.job.ts'
import { publishHandoutList } from './publish-handout-list.ts'
import { releaseHandoutFile } from './release-handout-file.job.ts'
import {
  findHandoutByRef,
  type HandoutKey,
  type HandoutSession,
  insertHandout,
  updateHandout,
} from './store.ts'
import type { Upload } from './upload.ts'

export interface Registration {
  fields: Pick<HandoutRequest, 'sort' | 'title' | 'external_type' | 'external_id'>
  upload: Upload
}

/**
 * Makes an uploaded file a handout of the session. If a handout already has the external reference, it gets the file and
 * the sort, and keeps its id.
 *
 * Throws 404 NOT_FOUND, 409 SESSION_RELEASED, 409 HANDOUT_IN_USE.
 */
export async function registerHandout(
  tx: Tx,
  key: SessionKey,
  { fields, upload }: Registration,
): Promise<{ handout: Handout; session: HandoutSession }> {
  const session = await lockHandoutSession(tx, key)
  const externalType = fields.external_type ?? null
  const externalId = fields.external_id ?? null
  const given = { ...fileOf(upload), sort: fields.sort ?? 0, title: fields.title ?? null }
  const known =
    externalType === null
      ? undefined
      : await findHandoutByRef(tx, { sessionId: session.sessionId, externalType, externalId })
  const { tenantId, sessionId, roomId } = session
  const id = known?.id ?? uuidv7()
  await claimUpload(tx, { tenantId, handoutId: id }, upload)
  if (known !== undefined) {
    return {
      session,
      handout: await replaceHandout(tx, { ...session, ...known }, { ...known, ...given }),
    }
  }

  const made = { ...given, id, tenantId, sessionId, roomId, externalType, externalId }
  const moment = await nextRoomMoment(tx, session)
  await insertHandout(tx, made, moment)
  await publishHandoutList(tx, session)
  return { session, handout: { ...made, seq: moment.seq, createdAt: moment.at } }
}

/** The fields of a handout that come from its file. */
export function fileOf({ fileName, contentType, mime, storageKey, sizeBytes, rendition }: Upload) {
  return { fileName, contentType, mime, storageKey, sizeBytes, rendition }
}

/** Claims the files of an upload in the transaction that makes a handout from it. Throws 503 SERVICE_UNAVAILABLE. */
export async function claimUpload(tx: Tx, handout: HandoutKey, upload: Upload): Promise<void> {
  for (const key of keysOf(upload)) await claimObject(tx, key)
  if (upload.isUnplayed) await enqueue(tx, renditionRequest(handout, upload.storageKey))
}

/** Gives a handout another file and releases the old one. Throws 409 HANDOUT_IN_USE. */
export async function replaceHandout(
  tx: Tx,
  before: LockedHandout,
  after: Handout,
): Promise<Handout> {
  await refusePresented(tx, before)
  await updateHandout(tx, after)
  for (const key of keysOf(before)) await releaseHandoutFile(tx, key)
  await publishHandoutList(tx, before)
  return after
}
