/** Number of first bytes that `sniff` examines. */
export const SNIFF_BYTES = 32

/** Media type by the first bytes of an image. Returns undefined unless it is one of the allowed types. */
export function sniff(head: Buffer): string | undefined {
  return SIGNATURES.find((signature) => signature.matches(head))?.mime
}

interface Signature {
  mime: string
  matches(head: Buffer): boolean
}

/** Possible sizes of the header after the file header of a bitmap, one per version. */
const BITMAP_HEADERS = new Set([12, 16, 40, 52, 56, 64, 108, 124])

const SIGNATURES: readonly Signature[] = [
  { mime: 'image/jpeg', matches: startsWith([0xff, 0xd8, 0xff]) },
  { mime: 'image/png', matches: startsWith([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { mime: 'image/gif', matches: (head) => /^GIF8[79]a/.test(latin1(head, 0, 6)) },
  {
    mime: 'image/bmp',
    matches: (head) =>
      latin1(head, 0, 2) === 'BM' && head.length >= 18 && BITMAP_HEADERS.has(head.readUInt32LE(14)),
  },
  { mime: 'image/tiff', matches: startsWith([0x49, 0x49, 0x2a, 0x00]) },
  { mime: 'image/tiff', matches: startsWith([0x4d, 0x4d, 0x00, 0x2a]) },
]

function startsWith(bytes: readonly number[]): (head: Buffer) => boolean {
  const magic = Buffer.from(bytes)
  return (head) => head.subarray(0, magic.length).equals(magic)
}

function latin1(head: Buffer, start: number, end: number): string {
  return head.toString('latin1', start, end)
}
