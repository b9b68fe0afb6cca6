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
    expect(fontFor('山田 花子', fonts)).toBe(path.join(folder, 'deep/er/NotoSansCJK-Regular.ttc'))
    for (const name of ['José “Ж”', 'Ünal Đặng', "O'Neill-Smith"]) {
      expect(fontFor(name, fonts)).toBe(path.join(folder, 'DejaVuSans.ttf'))
    }
    expect(fontFor('สมชาย', { ...fonts, thai: '/Loma.otf' })).toBe('/Loma.otf')
  })

  test.each(['محمد', 'مُحَمَّد علي (Ali 2)', 'שרה כהן', 'پروانه'])(
    'of a name that is written from right to left has its letters: %s',
    (name) => {
      expect(fontFor(name, findFonts([folder]))).toBe(path.join(folder, 'DejaVuSans.ttf'))
      expect(isRightToLeft(name)).toBe(true)
    },
  )

  test.each(['Alice', '山田 花子', 'สมชาย'])('leaves the order of letters as it is: %s', (name) => {
    expect(isRightToLeft(name)).toBe(false)
  })

  test('is undefined if no font covers the name', () => {
    const none = findFonts(['/nowhere'])
    expect(fontFor('Alice', none)).toBeUndefined()
    const latin = { ...none, latin: '/LiberationSans-Regular.ttf' }
    for (const name of ['山田', 'สมชาย', 'محمد', 'שרה', 'محمد 山田']) {
      expect(fontFor(name, latin)).toBeUndefined()
    }
  })
})

describe('ffmpeg', () => {
  test('is the configured one, else one of the PATH, else undefined', () => {
    expect(findFfmpeg({ FFMPEG_PATH: '/opt/ffmpeg', PATH: folder })).toBe('/opt/ffmpeg')
    expect(findFfmpeg({ PATH: `/nowhere:${folder}` })).toBe(path.join(folder, 'ffmpeg'))
    expect(findFfmpeg({ PATH: '/nowhere' })).toBeUndefined()
  })
})
