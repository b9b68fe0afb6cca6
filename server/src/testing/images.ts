import { crc32, deflateSync } from 'node:zlib'

/** Width, height, eight bits, uncompressed, black is nought, one strip of four bytes at place 8. */
const TIFF_ENTRIES = [
  [256, 4, 'side'],
  [257, 4, 'side'],
  [258, 3, 8],
  [259, 3, 1],
  [262, 3, 1],
  [273, 4, 8],
  [277, 3, 1],
  [278, 4, 'side'],
  [279, 4, 4],
] as const

/** A real image of each kind: four by four pixels of one colour. */
export const IMAGES = {
  png: fromBase64(
    'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQImWMwLt8NRwzEcQA78hZR7scHlgAAAABJRU5ErkJggg==',
  ),
  jpg: fromBase64(
    '/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAEAAQDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAABP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AIAGiP/Z',
  ),
  gif: fromBase64('R0lGODlhBAAEAIAAAExpcTN3uyH5BAUAAAAALAAAAAAEAAQAAAIEjI8ZBQA7'),
  webp: fromBase64('UklGRh4AAABXRUJQVlA4TBEAAAAvA8AAAAfQu850t/+BiOh/AAA='),
  bmp: bitmap(4, 4),
  tiff: tiffOf([undefined]),
} as const

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64')
}

/** Invalid images, and images that may not be shown; each begins like its kind. */
export const HOSTILE_IMAGES: readonly (readonly [
  what: string,
  kind: keyof typeof IMAGES,
  body: Buffer,
  code: 'CONTENT_MISMATCH' | 'TOO_LARGE',
])[] = [
  ['a PNG that claims 50,000 x 50,000', 'png', png(50_000, 50_000), 'TOO_LARGE'],
  ['a BMP that claims 50,000 x 50,000', 'bmp', runs(50_000, 50_000), 'TOO_LARGE'],
  ['a GIF that claims 60,000 x 60,000', 'gif', gif(60_000, 60_000), 'TOO_LARGE'],
  ['a GIF with a frame of 60,000 x 60,000', 'gif', gif(1, 1, { side: 60_000 }), 'TOO_LARGE'],
  ['a TIFF that claims 50,000 x 50,000', 'tiff', tiffOf([undefined], 50_000), 'TOO_LARGE'],
  ['a PNG with too little in it', 'png', png(40, 40), 'CONTENT_MISMATCH'],
  ['a PNG whose check sum is wrong', 'png', broken(IMAGES.png, 70), 'CONTENT_MISMATCH'],
  ['a PNG of its signature only', 'png', IMAGES.png.subarray(0, 8), 'CONTENT_MISMATCH'],
  ['a PNG with something else behind it', 'png', noise(IMAGES.png, 8), 'CONTENT_MISMATCH'],
  ['a JPEG with something else behind it', 'jpg', noise(IMAGES.jpg, 4), 'CONTENT_MISMATCH'],
  ['a TIFF whose page is followed by itself', 'tiff', tiffOf([0]), 'CONTENT_MISMATCH'],
  ['a TIFF of three pages in a circle', 'tiff', tiffOf([1, 2, 1]), 'CONTENT_MISMATCH'],
  ['a TIFF of 20,000 pages', 'tiff', tiffOf(countTo(20_000)), 'CONTENT_MISMATCH'],
  ['a GIF of 20,000 frames', 'gif', gif(1, 1, { frames: 20_000 }), 'CONTENT_MISMATCH'],
  ['a GIF cut short after its first frame', 'gif', gifCutShort(), 'CONTENT_MISMATCH'],
  ['a PNG without its end', 'png', IMAGES.png.subarray(0, -12), 'CONTENT_MISMATCH'],
  ...Object.entries(IMAGES).map(
    ([kind, body]) =>
      [
        `a ${kind} cut short`,
        kind as keyof typeof IMAGES,
        body.subarray(0, -3),
        'CONTENT_MISMATCH',
      ] as const,
  ),
]

function broken(image: Buffer, at: number): Buffer {
  const copy = Buffer.from(image)
  copy[at] = (copy[at] ?? 0) ^ 0xff
  return copy
}

function noise(image: Buffer, from: number): Buffer {
  return Buffer.concat([image.subarray(0, from), Buffer.alloc(200, 7)])
}

function countTo(length: number): (number | undefined)[] {
  return Array.from({ length }, (_, page) => (page + 1 < length ? page + 1 : undefined))
}

/** With hardly any picture, whatever it claims. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(10))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** With a picture of one pixel in each frame, whatever it claims. */
function gif(width: number, height: number, { frames = 1, side = 1 } = {}): Buffer {
  const head = Buffer.alloc(13)
  head.write('GIF89a', 'latin1')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  head[10] = 0x80
  const frame = Buffer.from('2c0000000000000000000202440100', 'hex')
  frame.writeUInt16LE(side, 5)
  frame.writeUInt16LE(side, 7)
  const all = Array<Buffer>(frames).fill(frame)
  return Buffer.concat([head, Buffer.alloc(6, 7), ...all, Buffer.from([0x3b])])
}

function gifCutShort(): Buffer {
  return gif(1, 1, { frames: 3 }).subarray(0, -20)
}

function bitmapHead(width: number, height: number, compression: number): Buffer {
  const head = Buffer.alloc(54)
  head.write('BM', 'latin1')
  head.writeUInt32LE(54, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(width, 18)
  head.writeInt32LE(height, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(compression === 0 ? 24 : 8, 28)
  head.writeUInt32LE(compression, 30)
  return head
}

function bitmap(width: number, height: number): Buffer {
  return Buffer.concat([bitmapHead(width, height, 0), Buffer.alloc(width * height * 3, 7)])
}

/** Run lengths that end immediately, whatever the header claims. */
function runs(width: number, height: number): Buffer {
  return Buffer.concat([bitmapHead(width, height, 1), Buffer.from([0, 1])])
}

/** Pages of a TIFF, each with the number of the one that follows it; undefined at the end. */
function tiffOf(nexts: readonly (number | undefined)[], side = 2): Buffer {
  const pageBytes = 2 + TIFF_ENTRIES.length * 12 + 4
  const placeOf = (page: number) => 12 + page * pageBytes
  const body = Buffer.alloc(placeOf(nexts.length))
  body.write('II*\0', 'latin1')
  body.writeUInt32LE(placeOf(0), 4)
  for (const [page, next] of nexts.entries()) {
    const start = placeOf(page)
    body.writeUInt16LE(TIFF_ENTRIES.length, start)
    for (const [index, [tag, type, value]] of TIFF_ENTRIES.entries()) {
      const at = start + 2 + index * 12
      body.writeUInt16LE(tag, at)
      body.writeUInt16LE(type, at + 2)
      body.writeUInt32LE(1, at + 4)
      body.writeUInt32LE(value === 'side' ? side : value, at + 8)
    }
    body.writeUInt32LE(next === undefined ? 0 : placeOf(next), start + pageBytes - 4)
  }
  return body
}
