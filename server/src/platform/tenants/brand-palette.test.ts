import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { brandPalettesOf, contrastOf } from './brand-palette.ts'

const TOKENS = readFileSync(
  join(import.meta.dirname, '../../../../web/src/design/tokens.css'),
  'utf8',
)
const GROUNDS = ['--surface', '--ground', '--surface-sunken', '--hover']

function groundsIn(scheme: 'light' | 'dark'): string[] {
  return GROUNDS.map((name) => {
    const declared = new RegExp(`${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`)
    return declared.exec(TOKENS)?.[scheme === 'light' ? 1 : 2] ?? ''
  })
}

/** Every 17th step of red, green and blue. */
const STEPS = Array.from({ length: 16 }, (_, index) => index * 17)
const hex = (value: number) => value.toString(16).padStart(2, '0')
const COLORS = STEPS.flatMap((red) =>
  STEPS.flatMap((green) => STEPS.map((blue) => `#${hex(red)}${hex(green)}${hex(blue)}`)),
)

describe('the contrast of two colours', () => {
  test.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
  ])('%s on %s is %d', (one, other, expected) => {
    expect(contrastOf(one, other)).toBeCloseTo(expected, 2)
    expect(contrastOf(other, one)).toBeCloseTo(expected, 2)
  })
})

describe('the palette of a tenant', () => {
  // contract: enterRoom › `palette` of the branding: `accent`, `accent_hover`, `accent_soft`, `accent_text`,
  //   `on_accent` have a contrast of 4.5 in `light` and `dark`, whatever the colour is
  test.each(['light', 'dark'] as const)(
    'is readable in the %s scheme for every colour',
    (scheme) => {
      const grounds = groundsIn(scheme)
      expect(grounds).not.toContain('')
      const weak = COLORS.filter((color) => {
        const palette = brandPalettesOf(color)[scheme]
        const pairs = [
          [palette.on_accent, palette.accent],
          [palette.on_accent, palette.accent_hover],
          [palette.accent, grounds[0] ?? ''],
          [palette.accent_text, palette.accent_soft],
          ...grounds.map((ground) => [palette.accent_text, ground]),
        ]
        return pairs.some(([one = '', other = '']) => contrastOf(one, other) < 4.5)
      })
      expect(weak).toEqual([])
    },
  )

  test('keeps a colour that is strong enough as it is', () => {
    expect(brandPalettesOf('#0b6e69').light.accent).toBe('#0b6e69')
    expect(brandPalettesOf('#ffd400').dark.accent).toBe('#ffd400')
  })

  test('makes a pale colour darker in the light scheme, and keeps its hue', () => {
    const { accent } = brandPalettesOf('#ffd400').light
    expect(accent).not.toBe('#ffd400')
    const part = (at: number) => Number.parseInt(accent.slice(at, at + 2), 16)
    expect(part(1)).toBeGreaterThan(part(3))
    expect(part(5)).toBe(0)
  })
})
