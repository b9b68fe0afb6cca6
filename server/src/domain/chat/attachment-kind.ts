import type { AttachmentExtension } from '../../platform/config/config.ts'
import { sniff } from '../handouts/sniff.ts'

/** Number of first bytes that are examined. */
export const HEAD_BYTES = 4096

/** A kind of file allowed in the chat, chosen by the extension. */
export interface AttachmentKind {
  /** The type with which it is stored and served. */
  mime: string
  /** Further types that browsers send for it. */
  aliases: readonly string[]
  /** True if the first bytes of a file match this kind. */
  isLike(head: Buffer): boolean
}

const isPdf = (head: Buffer) => head.subarray(0, 1024).includes('%PDF-')
const isZip = (head: Buffer) => head.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))
const isCompoundFile = (head: Buffer) =>
  head.subarray(0, 8).equals(Buffer.from('d0cf11e0a1b11ae1', 'hex'))
const isWebp = (head: Buffer) =>
  head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'

const BYTE_ORDER_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])]

/** Text in any encoding: without a NUL byte, or marked as UTF-16. */
function isText(head: Buffer): boolean {
  if (head.length === 0 || isPdf(head) || sniff(head) !== undefined) return false
  return !head.includes(0) || BYTE_ORDER_MARKS.some((mark) => head.subarray(0, 2).equals(mark))
}

function kind(
  mime: string,
  isLike: (head: Buffer) => boolean,
  aliases: readonly string[] = [],
): AttachmentKind {
  return { mime, isLike, aliases }
}

const picture = (mime: string, aliases: readonly string[] = []) =>
  kind(mime, (head) => sniff(head) === mime, aliases)

/**
 * Office formats are recognisable only deep inside the container. Checking the container is enough, because browsers save
 * these files instead of opening them.
 */
const office = (name: string) =>
  kind(`application/vnd.openxmlformats-officedocument.${name}`, isZip)

const KINDS: Record<AttachmentExtension, AttachmentKind> = {
  png: picture('image/png'),
  jpg: picture('image/jpeg', ['image/jpg', 'image/pjpeg']),
  jpeg: picture('image/jpeg', ['image/jpg', 'image/pjpeg']),
  gif: picture('image/gif'),
  webp: kind('image/webp', isWebp),
  bmp: picture('image/bmp', ['image/x-ms-bmp', 'image/x-bmp']),
  pdf: kind('application/pdf', isPdf),
  docx: office('wordprocessingml.document'),
  xlsx: office('spreadsheetml.sheet'),
  pptx: office('presentationml.presentation'),
  doc: kind('application/msword', isCompoundFile),
  xls: kind('application/vnd.ms-excel', isCompoundFile),
  ppt: kind('application/vnd.ms-powerpoint', isCompoundFile),
  txt: kind('text/plain', isText),
  // Browsers send the type of an installed spreadsheet program.
  csv: kind('text/csv', isText, ['text/plain', 'application/csv', 'application/vnd.ms-excel']),
}

/** Returns undefined for extensions that are not allowed. Case does not matter. */
export function kindOfName(
  name: string,
  allowed: readonly AttachmentExtension[],
): AttachmentKind | undefined {
  const extension = /\.([a-z0-9]+)$/.exec(name.toLowerCase())?.[1]
  const found = allowed.find((each) => each === extension)
  return found && KINDS[found]
}

export function kindOfMime(mime: string): AttachmentKind | undefined {
  return Object.values(KINDS).find((each) => each.mime === mime)
}

export function isCalled({ mime, aliases }: AttachmentKind, declared: string): boolean {
  const word = declared.toLowerCase()
  return word === mime || aliases.includes(word)
}
