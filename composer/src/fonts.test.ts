import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFfmpeg } from './find-ffmpeg.ts'
import { findFonts, fontFor, isRightToLeft } from './fonts.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fonts-'))
  mkdirSync(path.join(folder, 'deep/er'), { recursive: true })
  for (const name of [
    'NotoSerifCJK-Bold.ttc',
    'deep/er/NotoSansCJK-Regular.ttc',
    'DejaVuSans.ttf',
  ]) {
    writeFileSync(path.join(folder, name), '')
  }
  writeFileSync(path.join(folder, 'ffmpeg'), '', { mode: 0o755 })
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('the font', () => {
  test('of a Japanese name has Japanese characters', () => {
    const fonts = findFonts([folder, '/nowhere'])
    const cjk = path.join(folder, 'deep/er/NotoSansCJK-Regular.ttc')
    expect(fontFor('山田 花子', fonts)).toEqual({ fontFile: cjk, text: '山田 花子' })
    for (const name of ['José “Ж”', 'Ünal Đặng', "O'Neill-Smith"]) {
      const fontFile = path.join(folder, 'DejaVuSans.ttf')
      expect(fontFor(name, fonts)).toEqual({ fontFile, text: name })
    }
    const thai = { fontFile: '/Loma.otf', text: 'สมชาย' }
    expect(fontFor('สมชาย', { ...fonts, thai: '/Loma.otf' })).toEqual(thai)
  })

  test.each(['محمد', 'مُحَمَّد علي (Ali 2)', 'שרה כהן', 'پروانه'])(
    'of a name that is written from right to left has its letters: %s',
    (name) => {
      const fontFile = path.join(folder, 'DejaVuSans.ttf')
      expect(fontFor(name, findFonts([folder]))).toEqual({ fontFile, text: name })
      expect(isRightToLeft(name)).toBe(true)
    },
  )

  test.each(['Alice', '山田 花子', 'สมชาย'])('leaves the order of letters as it is: %s', (name) => {
    expect(isRightToLeft(name)).toBe(false)
  })

  test('is undefined if no font has any letter of the name', () => {
    const none = findFonts(['/nowhere'])
    expect(fontFor('Alice', none)).toBeUndefined()
    const latin = { ...none, latin: '/LiberationSans-Regular.ttf' }
    for (const name of ['山田', 'สมชาย', 'محمد', 'שרה', 'محمد 山田', '']) {
      expect(fontFor(name, latin)).toBeUndefined()
    }
  })

  test.each([
    ['Ali 山田 Khan', 'latin', 'Ali Khan'],
    ['Ана (สมชาย)', 'latin', 'Ана ()'],
    ['नमस्ते Ana', 'latin', 'Ana'],
    ['山田 नमस्ते', 'eastAsian', '山田'],
    ['محمد علي 山', 'rightToLeft', 'محمد علي'],
  ] as const)('writes %s without the characters that it lacks', (name, kind, text) => {
    const fonts = { latin: '/l.ttf', eastAsian: undefined, thai: undefined, rightToLeft: undefined }
    expect(fontFor(name, { ...fonts, [kind]: '/own.ttf' })).toMatchObject({ text })
  })
})

describe('ffmpeg', () => {
  test('is the configured one, else one of the PATH, else undefined', () => {
    expect(findFfmpeg({ FFMPEG_PATH: '/opt/ffmpeg', PATH: folder })).toBe('/opt/ffmpeg')
    expect(findFfmpeg({ PATH: `/nowhere:${folder}` })).toBe(path.join(folder, 'ffmpeg'))
    expect(findFfmpeg({ PATH: '/nowhere' })).toBeUndefined()
  })
})
