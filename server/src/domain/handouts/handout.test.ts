import { describe, expect, test } from 'vitest'
import { SAMPLES } from '../../testing/multipart.ts'
import { cleanFileName } from './file-name.ts'
import { fileUrlLifeSec, kindOfFile } from './handout.ts'
import { sniff } from './sniff.ts'

describe('the extension of a handout', () => {
  // contract: registerHandout › jpg, jpeg, gif, png, bmp, tiff (`HANDOUT_IMAGE_EXTENSIONS`) of at
  //   most 20 MB (`HANDOUT_IMAGE_MAX_BYTES`)
  // contract: registerHandout › mp4, mov (`HANDOUT_VIDEO_EXTENSIONS`) of at most 300 MB
  //   (`HANDOUT_VIDEO_MAX_BYTES`)
  // contract: Limits › Handout extensions and sizes
  test.each([
    ['a.jpg', 'image', 'image/jpeg', 20_000_000],
    ['a.JPEG', 'image', 'image/jpeg', 20_000_000],
    ['a.gif', 'image', 'image/gif', 20_000_000],
    ['a.png', 'image', 'image/png', 20_000_000],
    ['a.bmp', 'image', 'image/bmp', 20_000_000],
    ['a.tiff', 'image', 'image/tiff', 20_000_000],
    ['a.b.mp4', 'video', 'video/mp4', 300_000_000],
    ['資料.MOV', 'video', 'video/quicktime', 300_000_000],
  ])(
    'of %s makes it a %s of %s with at most %i bytes',
    (...[name, contentType, mime, maxBytes]) => {
      expect(kindOfFile(name)).toEqual({ contentType, mime, maxBytes })
    },
  )

  // contract: registerHandout › No other extensions, no PDF or office files
  test.each(['a.pdf', 'a.pptx', 'a.svg', 'a.tif', 'a.webp', 'a.avi', 'png', 'a.png.exe', 'a.', ''])(
    'of "%s" is not allowed',
    (name) => {
      expect(kindOfFile(name)).toBeUndefined()
    },
  )
})

describe('the first bytes of a file', () => {
  test.each([
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['gif', 'image/gif'],
    ['bmp', 'image/bmp'],
    ['tiff', 'image/tiff'],
  ] as const)('identify %s', (kind, mime) => {
    expect(sniff(SAMPLES[kind])).toBe(mime)
  })

  test.each([
    ['a big-endian TIFF', Buffer.from('MM\0*'), 'image/tiff'],
    ['an old GIF', Buffer.from('GIF87a'), 'image/gif'],
  ])('identify %s', (_what, bytes, mime) => {
    expect(sniff(bytes)).toBe(mime)
  })

  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['a text that begins like a bitmap', Buffer.from('BMW is a maker of cars and bikes')],
    ['an HTML page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a vector drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">')],
    ['a PDF', Buffer.from('%PDF-1.7')],
    ['an archive', Buffer.from('PK\u0003\u0004')],
    ['a film', SAMPLES.mp4],
    ['a GIF that breaks off', Buffer.from('GIF8')],
  ])('do not identify %s as a handout', (_what, bytes) => {
    expect(sniff(bytes)).toBeUndefined()
  })
})

/** A flag of tag characters. */
const SCOTLAND = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'

describe('the name of a file', () => {
  test.each([
    ['plan.png', 'plan.png'],
    ['C:\\fakepath\\plan.png', 'plan.png'],
    ['../../etc/plan.png', 'plan.png'],
    ['  two   words .png ', 'two words .png'],
    ['か\u3099.png', 'が.png'],
    ['plan\r\nX-Evil: 1.png', 'planX-Evil: 1.png'],
    ['gpj.\u202Egnp.png', 'gpj.gnp.png'],
    ['a\u0000b\u007f.png', 'ab.png'],
    ['', ''],
    ['\u200b', ''],
    ['\u200d\u200c', ''],
    ['می\u200cخواهم.png', 'می\u200cخواهم.png'],
    ['क्\u200dष.png', 'क्\u200dष.png'],
    ['👨\u200d👩\u200d👧.png', '👨\u200d👩\u200d👧.png'],
    ['🏳️\u200d🌈.png', '🏳️\u200d🌈.png'],
    [`${SCOTLAND}.png`, `${SCOTLAND}.png`],
    ['\ue000外字.png', '\ue000外字.png'],
    ['Donau\u00addampf.png', 'Donau\u00addampf.png'],
    ['a\u200e\u2066b\u061c\ufeff.png', 'ab.png'],
    ['a\ufffe\u{e0001}b\u2028.png', 'ab .png'],
  ])('%j is kept as %j', (given, kept) => {
    expect(cleanFileName(given)).toBe(kept)
  })

  test('has at most 255 characters, including the extension', () => {
    const kept = cleanFileName(`${'面'.repeat(400)}.jpeg`)
    expect(Array.from(kept)).toHaveLength(255)
    expect(kept.endsWith('面.jpeg')).toBe(true)
  })
})

describe('the address of a file', () => {
  const now = new Date('2026-06-01T10:00:00Z')
  // contract: Fields of a Handout › The validity of `file_url`, in all its cases
  test.each([
    ['2026-06-01T11:00:00Z', 2.5 * 3600],
    ['2026-06-08T10:00:00Z', 7 * 86_400 + 5400],
    ['2026-06-01T09:00:00Z', 1800],
    ['2026-06-01T08:00:00Z', 900],
  ])('with ends_at %s is valid for %i seconds', (endsAt, seconds) => {
    expect(fileUrlLifeSec(new Date(endsAt), now)).toBe(seconds)
  })
})
