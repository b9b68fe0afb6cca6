import type { HandoutPatch } from '@interview-room/contract/handouts.ts'
import type { Tx } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { Handout } from './handout.ts'
import { lockHandout, lockHandoutSession } from './lock-handout.ts'
import { publishHandoutList } from './publish-handout-list.ts'
import { claimUpload, fileOf, replaceHandout } from './register-handout.ts'
import { type HandoutKey, type HandoutSession, isPresented, updateHandout } from './store.ts'
import type { Upload } from './upload.ts'
import { refuseContent } from './watch-file.ts'

export interface Change {
  fields: Pick<HandoutPatch, 'sort' | 'title' | 'content_type'>
  upload: Upload | undefined
}

/**
 * Changes the given fields: the position, the file, or both. The file cannot change while the handout is presented.
 *
 * Throws 404 NOT_FOUND, 409 SESSION_RELEASED, 409 HANDOUT_IN_USE, 422 UNSUPPORTED_FILE_TYPE.
 */
export async function patchHandout(
  tx: Tx,
  key: HandoutKey,
  { fields, upload }: Change,
): Promise<{ handout: Handout; session: HandoutSession }> {
  const handout = await lockHandout(tx, key)
  if (handout === undefined) throw new ServiceError('NOT_FOUND')
  const session = await lockHandoutSession(tx, handout)
  const contentType = fields.content_type ?? handout.contentType
  if ((upload ?? handout).contentType !== contentType) throw refuseContent('content_type')

  const { sort = handout.sort, title = handout.title } = fields
  const patched = { ...handout, sort, title }
  if (upload === undefined) {
    await updateHandout(tx, patched)
    await publishHandoutList(tx, handout)
    const isRetitled = patched.title !== handout.title
    // Everybody in the room sees the title of a presented handout.
    if (isRetitled && (await isPresented(tx, handout))) {
      await publishLiveEvent(tx, handout, { name: 'presentation' })
    }
    return { session, handout: patched }
  }
  await claimUpload(tx, key, upload)
  const replaced = await replaceHandout(tx, handout, { ...patched, ...fileOf(upload) })
  return { session, handout: replaced }
}
