import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findFfmpeg } from './find-ffmpeg.ts'
import { findFonts } from './fonts.ts'
import { gapText, type Label, makeLabel } from './labels.ts'

const BOX = { x: 0, y: 0, width: 320, height: 240 }
const LETTER_BRIGHTNESS = 60
const fonts = findFonts()

const folder = mkdtempSync(path.join(tmpdir(), 'labels-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function labelOf(name: string): Promise<Label> {
  const program = findFfmpeg(process.env)
  if (program === undefined) throw new Error('no ffmpeg on this machine')
  const label = await makeLabel(name, BOX, { program, fonts, folder })
  if (label === undefined) throw new Error(`nothing on this machine writes ${name}`)
  return label
}

/** Empty columns after the last letter of the drawn part. */
function spaceBehind({ video: { data, width }, part }: Label): number {
  for (let x = part.width - 1; x >= 0; x -= 1) {
    for (let y = 0; y < part.height; y += 1) {
      if ((data[y * width + x] ?? 0) > LETTER_BRIGHTNESS) return part.width - 1 - x
    }
  }
  return part.width
}

describe.skipIf(fonts.rightToLeft === undefined)('a label from right to left', () => {
  test('joins its letters, and has the first one at the right', async () => {
    const [one, two] = [await labelOf('سلام'), await labelOf('س ل ا م')]
    // Joined letters are narrower than four separate ones with spaces between them.
    expect(one.part.width).toBeLessThan(0.75 * two.part.width)
    expect(dotsAt(await labelOf('ش د'))).toBe('right')
  })
})

/** The half of the label with more dots above the letters. */
function dotsAt({ video: { data, width }, part }: Label): 'left' | 'right' {
  const columns = { left: 0, right: 0 }
  for (let x = 0; x < part.width; x += 1) {
    for (let y = 0; y < part.height; y += 1) {
      const isLit = (data[y * width + x] ?? 0) > LETTER_BRIGHTNESS
      if (isLit) columns[x < part.width / 2 ? 'left' : 'right'] += 1
    }
  }
  return columns.left > columns.right ? 'left' : 'right'
}

/** The lowest row in which there is a letter. */
function bottomOf({ video: { data, width, height } }: Label): number {
  for (let y = height - 1; y >= 0; y -= 1) {
    const row = data.subarray(y * width, (y + 1) * width)
    if (row.some((brightness) => brightness > LETTER_BRIGHTNESS)) return y
  }
  return -1
}

describe.skipIf(fonts.latin === undefined && fonts.eastAsian === undefined)('a label', () => {
  test('of usual length is written whole, and as wide as the name', async () => {
    const [one, two] = [await labelOf('Sato'), await labelOf('Sato Hanako')]
    expect(one.part.width).toBeLessThan(two.part.width)
    expect(two.part.width).toBeLessThan(BOX.width)
  })

  test.each([
    ['Ana \u{1f44d}\u{1f3fd}', 'Ana'],
    ['\u{1f1ef}\u{1f1f5} Ana', 'Ana'],
    ['Ana 1\u{fe0f}\u{20e3}', 'Ana 1'],
  ])('of a name with pictures is written without them: %s', async (name, plain) => {
    expect((await labelOf(name)).part).toEqual((await labelOf(plain)).part)
  })

  test('stands on the same line whatever is above its letters or below them', async () => {
    const [flat, tall] = [await labelOf('nnn'), await labelOf('\u00c5n')]
    expect(bottomOf(tall)).toBe(bottomOf(flat))
    expect(bottomOf(await labelOf('nj'))).toBeGreaterThan(bottomOf(flat))
  })

  test.each(['W'.repeat(60), 'iiii '.repeat(12)])(
    'of a name that is wider than its tile ends within it: %s',
    async (name) => {
      const label = await labelOf(name)
      expect(label.part.width).toBeLessThanOrEqual(BOX.width)
      expect(label.part.width).toBeGreaterThan(BOX.width / 2)
      // A letter that is cut in two ends at the very edge.
      expect(spaceBehind(label)).toBeGreaterThan(2)
    },
  )
})

test.each([
  ['No recording, 16 s / 録画なし 16 秒', '/NotoSansCJK-Regular.ttc'],
  ['No recording, 16 s', undefined],
])('the card of a gap says %s', (text, eastAsian) => {
  expect(gapText(16, { eastAsian })).toBe(text)
})
