import {
  HANDOUT_IMAGE_EXTENSIONS,
  HANDOUT_IMAGE_MAX_BYTES,
  HANDOUT_VIDEO_EXTENSIONS,
  HANDOUT_VIDEO_MAX_BYTES,
} from '@interview-room/contract/limits.ts'
import type { HandoutContentType } from '@interview-room/contract/vocabulary.ts'

/** A PNG, or a video that every browser plays. */
export interface Rendition {
  key: string
  sizeBytes: number
}

/** A file that a moderator can show in the room of its session. */
export interface Handout {
  id: string
  tenantId: string
  sessionId: string
  roomId: string
  /** Order of handouts with the same `sort`. */
  seq: bigint
  externalType: string | null
  externalId: string | null
  fileName: string
  /** Shown to people in the room; null without a title. */
  title: string | null
  contentType: HandoutContentType
  mime: string
  storageKey: string
  sizeBytes: number
  /** Shown in place of the file that browsers cannot show; null if they can, or until it is made. */
  rendition: Rendition | null
  sort: number
  createdAt: Date
}

type Extension =
  | (typeof HANDOUT_IMAGE_EXTENSIONS)[number]
  | (typeof HANDOUT_VIDEO_EXTENSIONS)[number]

const MIME_OF: Record<Extension, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  png: 'image/png',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
}

/** The type that a file must have according to its extension. */
export interface FileKind {
  contentType: HandoutContentType
  mime: string
  maxBytes: number
}

/** Returns undefined for extensions that are not allowed. Case does not matter. */
export function kindOfFile(fileName: string): FileKind | undefined {
  const extension = /\.([a-z0-9]+)$/.exec(fileName.toLowerCase())?.[1]
  if (HANDOUT_IMAGE_EXTENSIONS.some((each) => each === extension)) {
    const mime = MIME_OF[extension as Extension]
    return { contentType: 'image', mime, maxBytes: HANDOUT_IMAGE_MAX_BYTES }
  }
  if (HANDOUT_VIDEO_EXTENSIONS.some((each) => each === extension)) {
    const mime = MIME_OF[extension as Extension]
    return { contentType: 'video', mime, maxBytes: HANDOUT_VIDEO_MAX_BYTES }
  }
  return undefined
}

/** The keys of the file and of its rendition, if there is one. */
export function keysOf({ storageKey, rendition }: Pick<Handout, 'storageKey' | 'rendition'>) {
  return rendition === null ? [storageKey] : [storageKey, rendition.key]
}

interface ShownFile {
  storageKey: string
  fileName: string
  mime: string
}

/** The file of a handout that pages and recordings show. */
export function shownFileOf({
  rendition,
  contentType,
  fileName,
  ...file
}: Pick<Handout, 'rendition' | 'contentType' | keyof ShownFile>): ShownFile {
  if (rendition === null) return { ...file, fileName }
  const [ending, mime] = contentType === 'image' ? ['png', 'image/png'] : ['mp4', 'video/mp4']
  return { storageKey: rendition.key, fileName: fileName.replace(/[^.]+$/, ending), mime }
}

/** The file name for roles that may not see the real one: `image.png`. */
export function publicFileName({
  contentType,
  fileName,
}: Pick<Handout, 'contentType' | 'fileName'>) {
  const [extension = ''] = /\.[a-z0-9]+$/.exec(fileName.toLowerCase()) ?? []
  return `${contentType}${extension}`
}

const URL_LIFE_MIN_SEC = 15 * 60
const URL_SLACK_SEC = (30 + 60) * 60

/** Validity of `file_url`: until an hour after the window ends, but at least 15 minutes. */
export function fileUrlLifeSec(endsAt: Date, now: Date): number {
  const untilEndSec = Math.ceil((endsAt.getTime() - now.getTime()) / 1000)
  return Math.max(untilEndSec + URL_SLACK_SEC, URL_LIFE_MIN_SEC)
}
