import type { BrandPalette } from '@interview-room/contract/branding.ts'

/** Minimum contrast of WCAG 2.2 AA for text of any size. */
const CONTRAST_MIN = 4.5
const STEPS = 100

/** Red, green and blue, 0..1 each. */
type Rgb = readonly [number, number, number]

interface Scheme {
  /** Every background of the pages on which the colour is read, from tokens.css of the pages. */
  grounds: readonly string[]
  /** The colour of text on the accent. */
  onAccent: string
  /** How far a note's background is mixed from the surface towards the colour. */
  softShare: number
  /** The lightness to move towards until the contrast is high enough. */
  towards: 0 | 1
}

const SCHEMES: Record<'light' | 'dark', Scheme> = {
  light: {
    grounds: ['#ffffff', '#f5f6f4', '#eceeeb', '#e9ecea'],
    onAccent: '#ffffff',
    softShare: 0.14,
    towards: 0,
  },
  dark: {
    grounds: ['#1c2220', '#131716', '#171c1a', '#2a322f'],
    onAccent: '#0b0f0e',
    softShare: 0.16,
    towards: 1,
  },
}

/**
 * Colours of both schemes in the hue of a tenant. If the colour itself has too little contrast, the nearest lightness with enough
 * takes its place, so that every pair of text and background has a contrast of at least 4.5.
 */
export function brandPalettesOf(color: string): { light: BrandPalette; dark: BrandPalette } {
  return { light: paletteOf(color, SCHEMES.light), dark: paletteOf(color, SCHEMES.dark) }
}

function paletteOf(color: string, { grounds, onAccent, softShare, towards }: Scheme): BrandPalette {
  const [surface = onAccent] = grounds
  // The accent also marks things without text, which must stand out from their surroundings.
  const accent = moved(color, towards, (tried) => isReadable(tried, [surface, onAccent]))
  const soft = mixed(surface, accent, softShare)
  return {
    accent,
    accent_hover: moved(mixed(accent, surfaceEnd(towards), 0.15), towards, (tried) =>
      isReadable(tried, [onAccent]),
    ),
    accent_soft: soft,
    accent_text: moved(accent, towards, (tried) => isReadable(tried, [...grounds, soft])),
    on_accent: onAccent,
  }
}

const surfaceEnd = (towards: 0 | 1) => (towards === 0 ? '#000000' : '#ffffff')

const isReadable = (color: string, others: readonly string[]) =>
  others.every((other) => contrastOf(color, other) >= CONTRAST_MIN)

/** The nearest colour towards black or white that satisfies the condition; black or white at the latest. */
function moved(color: string, towards: 0 | 1, holds: (tried: string) => boolean): string {
  for (let step = 0; step <= STEPS; step += 1) {
    const tried = mixed(color, surfaceEnd(towards), step / STEPS)
    if (holds(tried)) return tried
  }
  return surfaceEnd(towards)
}

/** Contrast by WCAG, 1..21. */
export function contrastOf(one: string, other: string): number {
  const [lighter = 1, darker = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminanceOf(color: string): number {
  const [red, green, blue] = rgbOf(color).map((part) =>
    part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  ) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function rgbOf(color: string): Rgb {
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16) / 255
  return [part(1), part(3), part(5)]
}

function mixed(one: string, other: string, share: number): string {
  const [from, to] = [rgbOf(one), rgbOf(other)]
  const parts = from.map((part, at) => part + ((to[at] ?? part) - part) * share)
  return `#${parts.map((part) => hexOf(part)).join('')}`
}

function hexOf(part: number): string {
  return Math.round(part * 255)
    .toString(16)
    .padStart(2, '0')
}
