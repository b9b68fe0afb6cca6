import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { HandoutContentType } from '@interview-room/contract/vocabulary.ts'
import { refuseUndecodable } from '../../platform/images/refuse-image.ts'
import { refuseField } from '../../platform/lib/service-error.ts'
import { uuidv7 } from '../../platform/lib/uuid.ts'
import { judgeVideo } from '../../platform/media-files/judge-video.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { type GivenBytes, requireStored } from '../../platform/storage/returned-bytes.ts'
import { expectObject, giveUpObject } from '../../platform/storage/unclaimed-object.ts'
import { cleanFileName } from './file-name.ts'
import { type FileKind, kindOfFile, type Rendition } from './handout.ts'
import { fullBody } from './part-body.ts'
import { refuseUnplayable, watchFile } from './watch-file.ts'

/** A stored file that no row names yet. */
export interface Upload {
  storageKey: string
  fileName: string
  contentType: HandoutContentType
  mime: string
  sizeBytes: number
  /** A PNG, for an image that no browser shows. */
  rendition: Rendition | null
  /** True for a video that not every browser plays. Its rendition is still to be made. */
  isUnplayed: boolean
  /** In hexadecimal. */
  sha256: string
}

/** An uploaded file: its name as given, and its bytes as they arrive. */
export interface IncomingFile {
  fileName: string | undefined
  body: Readable
}

type UploadDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config'>

/**
 * Streams a file into the storage, under a key of its own. The transaction that makes a handout from it must claim it.
 *
 * Throws 400 INVALID_REQUEST, 422 UNSUPPORTED_FILE_TYPE, 413 FILE_TOO_LARGE, 503 SERVICE_UNAVAILABLE.
 */
export async function storeUpload(
  deps: UploadDeps,
  tenantId: string,
  { fileName: given, body }: IncomingFile,
): Promise<Upload> {
  const { db, storage } = deps
  const fileName = cleanFileName(given ?? '')
  const kind = judgeName(fileName)
  const storageKey = `${tenantId}/handouts/${uuidv7()}`
  const { contentType, mime } = kind
  await expectObject(deps, storageKey)
  try {
    const stored = await stream(storage, storageKey, { kind, body })
    const about = { key: storageKey, mime, field: 'file', given: stored }
    const png = await refuseUndecodable(storage, about)
    const rendition = png === undefined ? null : await storePng(deps, tenantId, png)
    const isUnplayed = contentType === 'video' && (await isUnplayedVideo(deps, storageKey, stored))
    return { storageKey, fileName, contentType, mime, ...stored, rendition, isUnplayed }
  } catch (error) {
    await giveUpObject(db, storageKey)
    throw error
  }
}

/** Stores the image that is shown in place of the uploaded one. */
async function storePng(deps: UploadDeps, tenantId: string, png: Buffer): Promise<Rendition> {
  const key = `${tenantId}/handouts/${uuidv7()}`
  await expectObject(deps, key)
  try {
    const body = Readable.from([png])
    return { key, ...(await deps.storage.put(key, body, { mime: 'image/png', isAwaited: true })) }
  } catch (error) {
    await giveUpObject(deps.db, key)
    throw error
  }
}

/**
 * True if not every browser plays it. Throws 422 UNSUPPORTED_FILE_TYPE, and `StorageError` if the storage is to blame. Without
 * ffmpeg, a video with complete boxes is taken.
 */
async function isUnplayedVideo(
  { storage, config }: UploadDeps,
  key: string,
  given: GivenBytes,
): Promise<boolean> {
  const verdict = await judgeVideo(storage, { key, ffmpegPath: config.ffmpegPath })
  if (verdict === 'undecodable') {
    await requireStored(storage, key, given)
    throw refuseUnplayable()
  }
  return verdict === 'needs_rendition'
}

function judgeName(fileName: string): FileKind {
  if (fileName === '') {
    throw refuseField('INVALID_REQUEST', {
      field: 'file',
      code: 'INVALID_FORMAT',
      message: 'must be a file with a name',
    })
  }
  const kind = kindOfFile(fileName)
  if (kind !== undefined) return kind
  throw refuseField('UNSUPPORTED_FILE_TYPE', {
    field: 'file',
    code: 'UNSUPPORTED_EXTENSION',
    message: 'must be one of: jpg, jpeg, gif, png, bmp, tiff, mp4, mov',
  })
}

async function stream(
  storage: UploadDeps['storage'],
  storageKey: string,
  { kind, body }: { kind: FileKind; body: Readable },
): Promise<Pick<Upload, 'sizeBytes' | 'sha256'>> {
  const watched = watchFile(kind)
  const storing = storage.put(storageKey, watched.stream, { mime: kind.mime, isAwaited: true })
  // When the storage gives up, break the stream with its error, so that the sender does not wait.
  storing.catch((error: unknown) => watched.stream.destroy(error as Error))
  // The first failure is the reason. The storage's error about a broken stream comes after it.
  await pipeline(fullBody(body), watched.stream)
  const { sizeBytes } = await storing
  return { sizeBytes, sha256: watched.digest() }
}
