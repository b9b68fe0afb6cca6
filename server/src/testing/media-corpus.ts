import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import sharp, { type Sharp } from 'sharp'
import { findFfmpeg } from '../platform/media-files/find-ffmpeg.ts'

/**
 * `shown`: browsers show the file itself. `rendition`: it is accepted, and browsers show what the service makes of it. The others are
 * refused. `cut`: browsers may show a part of it. `foreign`: of a kind that handouts do not have. `broken`: nothing shows it.
 */
type Verdict = 'shown' | 'rendition' | 'cut' | 'foreign' | 'broken'

/** A file as cameras, phones, programs and broken transfers make it. */
export interface CorpusFile {
  kind: 'image' | 'video'
  name: string
  fileName: string
  verdict: Verdict
  make: () => Promise<Buffer>
}

export function isAccepted({ verdict }: CorpusFile): boolean {
  return verdict === 'shown' || verdict === 'rendition'
}

const run = promisify(execFile)
const SOURCE =
  '-f lavfi -i testsrc=size=64x48:rate=15:duration=0.4 -f lavfi -i sine=440:duration=0.4 -shortest'
const H264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'
const AAC = '-c:a aac'
/** Brands of cameras, phones and tools. */
const BRANDS = ['isom', 'mp42', 'XAVC', '3gp4', '3gp6', 'cmfc', 'piff', 'pana', 'caqv', 'isoa']
/** Kinds by what browsers make of them. */
const FILMS: readonly [
  name: string,
  ending: 'mp4' | 'mov' | '3gp',
  options: string,
  verdict: 'shown' | 'rendition',
][] = [
  ['H.264 and AAC', 'mp4', `${H264} ${AAC}`, 'shown'],
  ['H.264 in QuickTime', 'mov', `${H264} ${AAC}`, 'shown'],
  ['H.264 without sound', 'mp4', `${H264} -an`, 'shown'],
  ['H.264 with the index first', 'mp4', `${H264} ${AAC} -movflags +faststart`, 'shown'],
  ['H.264 in fragments', 'mp4', `${H264} ${AAC} -movflags empty_moov+frag_keyframe`, 'shown'],
  [
    'H.264 of full range',
    'mp4',
    `-c:v libx264 -preset ultrafast -pix_fmt yuvj420p ${AAC}`,
    'shown',
  ],
  ['VP9 and Opus', 'mp4', '-c:v libvpx-vp9 -pix_fmt yuv420p -c:a libopus', 'shown'],
  ['AV1', 'mp4', `-c:v libaom-av1 -cpu-used 8 -pix_fmt yuv420p ${AAC}`, 'shown'],
  ['H.264 and MP3', 'mp4', `${H264} -c:a libmp3lame`, 'shown'],
  ['HEVC of a phone', 'mov', `-c:v libx265 -pix_fmt yuv420p -tag:v hvc1 ${AAC}`, 'rendition'],
  ['HEVC in MP4', 'mp4', `-c:v libx265 -pix_fmt yuv420p10le -tag:v hev1 ${AAC}`, 'rendition'],
  ['H.264 of ten bits', 'mp4', `-c:v libx264 -pix_fmt yuv422p10le ${AAC}`, 'rendition'],
  ['MPEG-4 part 2', 'mp4', `-c:v mpeg4 ${AAC}`, 'rendition'],
  ['ProRes', 'mov', '-c:v prores -c:a pcm_s16le', 'rendition'],
  ['Motion JPEG', 'mov', '-c:v mjpeg -pix_fmt yuvj422p -c:a pcm_s16le', 'rendition'],
  ['H.264 with AC-3', 'mp4', `${H264} -c:a ac3`, 'rendition'],
  ['H.264 on its side', 'mp4', `${H264} ${AAC} -metadata:s:v rotate=90`, 'shown'],
  ['H.264 of wide pixels', 'mp4', `${H264} ${AAC} -vf setsar=4/3`, 'shown'],
  ['H.264 of one picture', 'mp4', `${H264} -an -frames:v 1`, 'shown'],
  [
    'H.264 of an odd size',
    'mp4',
    `-vf scale=65:49 -c:v libx264 -pix_fmt yuv444p ${AAC}`,
    'rendition',
  ],
  ['interlaced H.264', 'mp4', `${H264} -flags +ildct+ilme ${AAC}`, 'shown'],
  ['H.264 with FLAC', 'mp4', `${H264} -c:a flac -strict -2`, 'shown'],
  ['H.264 with ALAC', 'mp4', `${H264} -c:a alac`, 'rendition'],
  ['H.264 with PCM', 'mov', `${H264} -c:a pcm_s16be`, 'rendition'],
  ['VP9 of ten bits', 'mp4', '-c:v libvpx-vp9 -pix_fmt yuv420p10le -an', 'rendition'],
  ['H.263 of an old phone', '3gp', '-vf scale=176:144 -c:v h263 -an', 'rendition'],
  ['MPEG-2', 'mov', `-c:v mpeg2video -r 25 ${AAC}`, 'rendition'],
  [
    'DNxHR',
    'mov',
    '-vf scale=256:128 -c:v dnxhd -profile:v dnxhr_lb -pix_fmt yuv422p -an',
    'rendition',
  ],
  ['CineForm', 'mov', '-c:v cfhd -pix_fmt yuv422p10le -an', 'rendition'],
  ['Animation of QuickTime', 'mov', '-vf scale=65:49 -c:v qtrle -an', 'rendition'],
  ['uncompressed', 'mov', '-c:v rawvideo -pix_fmt uyvy422 -an', 'rendition'],
]

const made = new Map<string, Promise<Buffer>>()

function film(options: string, ending = 'mp4'): Promise<Buffer> {
  const known = made.get(`${ending} ${options}`) ?? encode(options, ending)
  made.set(`${ending} ${options}`, known)
  return known
}

async function encode(options: string, ending: string): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'corpus-'))
  try {
    const file = path.join(folder, `film.${ending}`)
    const args = `-hide_banner -nostdin -loglevel error ${SOURCE} ${options}`.split(' ')
    await run(await findFfmpeg(undefined), [...args, file])
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const plain = () => film(`${H264} ${AAC}`)
const indexFirst = () => film(`${H264} ${AAC} -movflags +faststart`)

async function ofBrand(brand: string): Promise<Buffer> {
  const whole = Buffer.from(await plain())
  whole.write(brand, 8, 'latin1')
  return whole
}

/** The first box: size, `ftyp`, brands. */
const firstBoxOf = (whole: Buffer) => whole.subarray(0, whole.readUInt32BE(0))

function box(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + body.length)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, body])
}

async function withFirstBox(...rest: Buffer[]): Promise<Buffer> {
  return Buffer.concat([firstBoxOf(await plain()), ...rest])
}

/** The pictures replaced by noise of the same length. */
async function ofNoise(): Promise<Buffer> {
  const whole = await plain()
  const at = whole.indexOf('mdat')
  return Buffer.concat([
    whole.subarray(0, at + 4),
    randomBytes(whole.readUInt32BE(at - 4) - 8),
    whole.subarray(at - 4 + whole.readUInt32BE(at - 4)),
  ])
}

async function start(make: () => Promise<Buffer>, share: number): Promise<Buffer> {
  const whole = await make()
  return whole.subarray(0, Math.floor(whole.length * share))
}

async function fragmentsWithoutPictures(): Promise<Buffer> {
  const whole = await film(`${H264} ${AAC} -movflags empty_moov+frag_keyframe`)
  return whole.subarray(0, whole.indexOf('moof') - 4)
}

const NO_FILMS: readonly [Verdict, name: string, make: () => Promise<Buffer>][] = [
  ['broken', 'only the first box', () => withFirstBox()],
  ['broken', 'the first box and noise', () => withFirstBox(randomBytes(5000))],
  [
    'broken',
    'the first box and a web page',
    () => withFirstBox(Buffer.from('<html><script>alert(1)</script>')),
  ],
  [
    'broken',
    'without an index',
    () => withFirstBox(box('free', Buffer.alloc(0)), box('mdat', randomBytes(3000))),
  ],
  ['broken', 'cut before its index', () => start(plain, 0.5)],
  ['cut', 'cut after its index', () => start(indexFirst, 0.8)],
  ['broken', 'sound only', () => film('-vn -c:a aac')],
  [
    'broken',
    'sound with a cover',
    () => film('-map 1:a -map 0:v -c:v mjpeg -frames:v 1 -c:a aac -disposition:v:0 attached_pic'),
  ],
  ['broken', 'fragments without pictures', fragmentsWithoutPictures],
  ['broken', 'noise in place of its pictures', ofNoise],
  ['foreign', 'Matroska', () => film(`${H264} ${AAC}`, 'mkv')],
  ['foreign', 'AVI', () => film(`${H264} -c:a mp3`, 'avi')],
  ['foreign', 'a picture', async () => picture().png().toBuffer()],
]

const PIXELS = {
  width: 24,
  height: 16,
  channels: 4,
  background: { r: 40, g: 120, b: 200, alpha: 0.5 },
} as const

function picture(): Sharp {
  return sharp({ create: PIXELS })
}

const jpeg = () => picture().flatten().jpeg()
const tiff = (options: Parameters<Sharp['tiff']>[0]) => () =>
  picture().flatten().tiff(options).toBuffer()

const PICTURES: readonly [name: string, ending: string, make: () => Promise<Buffer>][] = [
  ['PNG', 'png', () => picture().png().toBuffer()],
  ['PNG with a palette', 'png', () => picture().png({ palette: true }).toBuffer()],
  ['interlaced PNG', 'png', () => picture().png({ progressive: true }).toBuffer()],
  ['PNG of 16 bits', 'png', () => picture().toColourspace('rgb16').png().toBuffer()],
  ['JPEG', 'jpg', () => jpeg().toBuffer()],
  ['progressive JPEG', 'jpeg', () => picture().flatten().jpeg({ progressive: true }).toBuffer()],
  ['JPEG of CMYK', 'jpg', () => jpeg().toColourspace('cmyk').toBuffer()],
  ['JPEG turned by its EXIF', 'jpg', () => jpeg().withMetadata({ orientation: 6 }).toBuffer()],
  ['grey JPEG', 'jpg', () => jpeg().greyscale().toBuffer()],
  [
    'JPEG of full colour',
    'jpg',
    () => picture().flatten().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
  ],
  ['animated PNG', 'png', () => film('-an -c:v apng -f apng', 'apng')],
  ['grey PNG of 16 bits', 'png', () => film('-an -c:v png -pix_fmt gray16be -frames:v 1', 'png')],
  ['PNG of one bit', 'png', () => film('-an -c:v png -pix_fmt monob -frames:v 1', 'png')],
  ['animated GIF', 'gif', () => film('-an', 'gif')],
  ['bitmap of 24 bits', 'bmp', () => film('-an -pix_fmt bgr24 -frames:v 1', 'bmp')],
  ['bitmap of 32 bits', 'bmp', () => film('-an -pix_fmt bgra -frames:v 1', 'bmp')],
  ['bitmap of 16 bits', 'bmp', () => film('-an -pix_fmt rgb565le -frames:v 1', 'bmp')],
  ['bitmap of 8 bits', 'bmp', () => film('-an -pix_fmt pal8 -frames:v 1', 'bmp')],
  ['bitmap of one bit', 'bmp', () => film('-an -pix_fmt monow -frames:v 1', 'bmp')],
  ['GIF', 'gif', () => picture().gif().toBuffer()],
  [
    'GIF without its trailer',
    'gif',
    async () => (await picture().gif().toBuffer()).subarray(0, -1),
  ],
]

const SCANS: readonly [name: string, make: () => Promise<Buffer>][] = [
  ['TIFF', tiff({ compression: 'none' })],
  ['TIFF of LZW', tiff({ compression: 'lzw' })],
  ['TIFF of JPEG', tiff({ compression: 'jpeg' })],
  ['TIFF in tiles', tiff({ tile: true, compression: 'deflate' })],
  [
    'TIFF of one bit',
    () => picture().flatten().toColourspace('b-w').tiff({ bitdepth: 1 }).toBuffer(),
  ],
  ['grey TIFF of 16 bits', () => film('-an -pix_fmt gray16le -frames:v 1', 'tiff')],
  ['TIFF of 16 bits', () => film('-an -pix_fmt rgb48le -frames:v 1', 'tiff')],
  ['TIFF of YCbCr', () => film('-an -pix_fmt yuv420p -frames:v 1', 'tiff')],
  ['TIFF with a palette', () => film('-an -pix_fmt pal8 -frames:v 1', 'tiff')],
  ['TIFF of PackBits', tiff({ compression: 'packbits' })],
  ['TIFF with transparency', () => picture().tiff({ compression: 'lzw' }).toBuffer()],
  [
    'TIFF of a fax',
    () =>
      picture()
        .flatten()
        .toColourspace('b-w')
        .tiff({ bitdepth: 1, compression: 'ccittfax4' })
        .toBuffer(),
  ],
  ['pyramid of TIFF', tiff({ pyramid: true, tile: true, compression: 'jpeg' })],
  ['TIFF of CMYK', () => picture().flatten().toColourspace('cmyk').tiff().toBuffer()],
]

const NO_PICTURES: readonly [Verdict, name: string, ending: string, make: () => Promise<Buffer>][] =
  [
    ['cut', 'JPEG cut short', 'jpg', async () => start(() => jpeg().toBuffer(), 0.7)],
    ['cut', 'PNG cut short', 'png', async () => start(() => picture().png().toBuffer(), 0.7)],
    ['cut', 'GIF cut short', 'gif', async () => start(() => picture().gif().toBuffer(), 0.9)],
    ['cut', 'TIFF cut short', 'tiff', async () => start(tiff({ compression: 'lzw' }), 0.5)],
    ['foreign', 'TIFF for more than 4 GB', 'tiff', tiff({ bigtiff: true })],
    ['foreign', 'WebP named PNG', 'png', () => picture().webp().toBuffer()],
    ['broken', 'a web page named PNG', 'png', async () => Buffer.from('<html></html>')],
  ]

/** One of these files. */
export async function makeFile(kind: CorpusFile['kind'], name: string): Promise<Buffer> {
  const found = CORPUS.find((each) => each.kind === kind && each.name === name)
  if (found === undefined) throw new Error(`the corpus has no ${name}`)
  return found.make()
}

/** Every kind, with the verdict that the service must come to, and real browsers, too. */
export const CORPUS: readonly CorpusFile[] = [
  ...FILMS.map(([name, ending, options, verdict]) => ({
    kind: 'video' as const,
    name,
    // A handout has one of two endings.
    fileName: `film.${ending === 'mov' ? 'mov' : 'mp4'}`,
    verdict,
    make: () => film(options, ending),
  })),
  ...BRANDS.map((brand) => ({
    kind: 'video' as const,
    name: `the brand ${brand}`,
    fileName: 'film.mp4',
    verdict: 'shown' as const,
    make: () => ofBrand(brand),
  })),
  {
    kind: 'video',
    name: 'QuickTime named MP4',
    fileName: 'film.mp4',
    verdict: 'shown',
    make: () => film(`${H264} ${AAC}`, 'mov'),
  },
  {
    kind: 'video',
    name: 'MP4 named QuickTime',
    fileName: 'film.mov',
    verdict: 'shown',
    make: plain,
  },
  ...NO_FILMS.map(([verdict, name, make]) => ({
    kind: 'video' as const,
    name,
    fileName: 'film.mp4',
    verdict,
    make,
  })),
  ...PICTURES.map(([name, ending, make]) => ({
    kind: 'image' as const,
    name,
    fileName: `picture.${ending}`,
    verdict: 'shown' as const,
    make,
  })),
  ...SCANS.map(([name, make]) => ({
    kind: 'image' as const,
    name,
    fileName: 'scan.tiff',
    verdict: 'rendition' as const,
    make,
  })),
  ...NO_PICTURES.map(([verdict, name, ending, make]) => ({
    kind: 'image' as const,
    name,
    fileName: `a.${ending}`,
    verdict,
    make,
  })),
]
