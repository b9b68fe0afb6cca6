/** The tar format (POSIX ustar) as far as captures need it: plain files with short names. */

export const ENTRY_BLOCK_BYTES = 512
/** Two empty blocks. */
export const TAR_END = Buffer.alloc(2 * ENTRY_BLOCK_BYTES)

interface TarEntry {
  name: string
  sizeBytes: number
}

// Offsets of the fields in a header.
const NAME = { at: 0, bytes: 100 }
const SIZE = { at: 124, bytes: 12 }
const CHECKSUM = { at: 148, bytes: 8 }
const TYPE_AT = 156
const MAGIC_AT = 257
const PLAIN_FILE = '0'
/** Eleven octal digits. */
const SIZE_MAX_BYTES = 8 ** 11 - 1

/** The header block of a file. Throws `RangeError` for a file of 8 GiB and more. */
export function entryHead({ name, sizeBytes }: TarEntry): Buffer {
  if (sizeBytes > SIZE_MAX_BYTES) throw new RangeError('too large for a tar archive')
  const head = Buffer.alloc(ENTRY_BLOCK_BYTES)
  head.write(name, NAME.at, NAME.bytes, 'latin1')
  head.write('0000600\0', 100, 'latin1')
  head.write('0000000\0', 108, 'latin1')
  head.write('0000000\0', 116, 'latin1')
  head.write(`${octal(sizeBytes, SIZE.bytes - 1)}\0`, SIZE.at, 'latin1')
  head.write(`${octal(0, 11)}\0`, 136, 'latin1')
  head.write(PLAIN_FILE, TYPE_AT, 'latin1')
  head.write('ustar\u000000', MAGIC_AT, 'latin1')
  head.write(`${octal(checksumOf(head), 6)}\0 `, CHECKSUM.at, 'latin1')
  return head
}

/** The padding of a file's last block. */
export function paddingOf(sizeBytes: number): Buffer {
  return Buffer.alloc((ENTRY_BLOCK_BYTES - (sizeBytes % ENTRY_BLOCK_BYTES)) % ENTRY_BLOCK_BYTES)
}

/** `end` for the block after the last file; undefined for anything but the header of a plain file. */
export function readEntryHead(head: Buffer): TarEntry | 'end' | undefined {
  if (head.every((byte) => byte === 0)) return 'end'
  const isIntact = numberIn(head, CHECKSUM) === checksumOf(head)
  const isPlain = String.fromCharCode(head[TYPE_AT] ?? 0) === PLAIN_FILE
  const sizeBytes = numberIn(head, SIZE)
  if (!isIntact || !isPlain || sizeBytes === undefined) return undefined
  return { name: textIn(head, NAME), sizeBytes }
}

/** The sum of all bytes, with spaces in place of the sum itself. */
function checksumOf(head: Buffer): number {
  const copy = Buffer.from(head)
  copy.fill(' ', CHECKSUM.at, CHECKSUM.at + CHECKSUM.bytes)
  return copy.reduce((sum, byte) => sum + byte, 0)
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function textIn(head: Buffer, { at, bytes }: { at: number; bytes: number }): string {
  return head.toString('latin1', at, at + bytes).split('\0')[0] ?? ''
}

function numberIn(head: Buffer, field: { at: number; bytes: number }): number | undefined {
  const digits = textIn(head, field).trim()
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined
}
