import { boxesOf, type Box, stageBoxes } from '@interview-room/composer/layouts.ts'
import sharp from 'sharp'
import type { Speaker } from './spoken-lines.ts'

export const PICTURE = { width: 640, height: 360 }

/** The names as the composer writes them into the tiles. */
export const NAMES: Record<Speaker, string> = { moderator: '森 一郎', panelist: '佐藤 花子' }

/** All that changes from picture to picture. */
export interface Scene {
  /** How far each mouth is open: 0, 1 or 2. */
  mouths: Record<Speaker, number>
  blinks: Record<Speaker, boolean>
  hasHandout: boolean
}

/** The picture of a scene, as red, green and blue bytes. */
export async function drawScene(scene: Scene): Promise<Buffer> {
  const { width, height } = PICTURE
  const [stage, moderator, panelist] = scene.hasHandout
    ? stageBoxes([4 / 3], 2, PICTURE)
    : [undefined, ...boxesOf('grid', 2, PICTURE)]
  const parts = [
    stage === undefined ? '' : placed(handout(), stage, 'meet'),
    personIn('moderator', scene, moderator),
    personIn('panelist', scene, panelist),
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#141416"/>${parts.join('')}</svg>`
  return sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer()
}

/** The handout of the interview: a bottle of tea. */
export async function drawHandout(): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600">${handout().body}</svg>`
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer()
}

interface Drawing {
  size: readonly [width: number, height: number]
  body: string
}

function placed({ size, body }: Drawing, box: Box, fit: 'meet' | 'slice'): string {
  const { x, y, width, height } = box
  return `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="0 0 ${size.join(' ')}"
    preserveAspectRatio="xMidYMid ${fit}">${body}</svg>`
}

function personIn(who: Speaker, { mouths, blinks }: Scene, box: Box | undefined): string {
  if (box === undefined) throw new RangeError('a layout without a place for everybody')
  const drawing = person(LOOKS[who], { mouth: mouths[who], isBlinking: blinks[who] })
  const px = Math.max(11, Math.round(box.height / 20))
  const wide = NAMES[who].length * px + px
  const [left, top] = [box.x, box.y + box.height - px * 1.8]
  return `${placed(drawing, box, 'slice')}
    <rect x="${left}" y="${top}" width="${wide}" height="${px * 1.8}" fill="#000" opacity="0.55"/>
    <text x="${left + px * 0.5}" y="${top + px * 1.25}" font-size="${px}" fill="#fff"
      font-family="Noto Sans CJK JP">${NAMES[who]}</text>`
}

interface Look {
  wall: string
  skin: string
  hair: string
  cloth: string
  /** Hair that is behind the head. */
  back: string
  /** Hair over the forehead. */
  front: string
}

const LOOKS: Record<Speaker, Look> = {
  moderator: {
    wall: '#c9d4df',
    skin: '#e2b58f',
    hair: '#2c2a2b',
    cloth: '#34506f',
    back: '',
    front:
      'M232 196c-10-96 46-124 92-122 52 2 98 30 84 122-12-44-30-64-52-72-40 12-88 10-104-2-10 14-16 40-20 74z',
  },
  panelist: {
    wall: '#e7dccb',
    skin: '#edc3a3',
    hair: '#4a332a',
    cloth: '#a65d57',
    back: 'M214 330c-20-180 20-258 106-258s128 78 108 258z',
    front: 'M232 200c-6-92 36-122 88-122s96 30 88 122c-14-50-44-78-74-84-16 30-64 48-102 84z',
  },
}

const MOUTHS = [
  '<path d="M296 262q24 10 48 0" stroke="#8c4a41" stroke-width="5" fill="none" stroke-linecap="round"/>',
  '<ellipse cx="320" cy="264" rx="20" ry="7" fill="#7a3a36"/>',
  '<ellipse cx="320" cy="266" rx="19" ry="14" fill="#6b2f2e"/>',
]

function person(
  { wall, skin, hair, cloth, back, front }: Look,
  { mouth, isBlinking }: { mouth: number; isBlinking: boolean },
): Drawing {
  const eye = (x: number) =>
    isBlinking
      ? `<path d="M${x - 11} 206q11 6 22 0" stroke="#2b2324" stroke-width="4" fill="none"/>`
      : `<ellipse cx="${x}" cy="204" rx="7" ry="9" fill="#2b2324"/>`
  return {
    size: [640, 480],
    body: `<rect width="640" height="480" fill="${wall}"/>
      <rect x="452" y="48" width="132" height="170" rx="5" fill="#fff" opacity="0.35"/>
      <path d="${back}" fill="${hair}"/>
      <path d="M110 480c0-128 92-172 210-172s210 44 210 172z" fill="${cloth}"/>
      <path d="M278 262h84v62q-42 34-84 0z" fill="${skin}"/>
      <path d="M278 304q42 26 84 0v-14q-42 22-84 0z" fill="#000" opacity="0.12"/>
      <ellipse cx="320" cy="206" rx="86" ry="100" fill="${skin}"/>
      <path d="${front}" fill="${hair}"/>
      <path d="M274 182q14-9 28-2M338 180q14-7 28 2" stroke="${hair}" stroke-width="5" fill="none"/>
      ${eye(288)}${eye(352)}
      <path d="M320 212q7 18-3 24" stroke="#000" stroke-opacity="0.25" stroke-width="4" fill="none"/>
      ${MOUTHS[mouth] ?? ''}`,
  }
}

function handout(): Drawing {
  return {
    size: [800, 600],
    body: `<rect width="800" height="600" fill="#f5f1e6"/><rect y="520" width="800" height="80" fill="#e2d8c2"/>
      <rect x="362" y="40" width="76" height="44" rx="8" fill="#fdfdfa" stroke="#d6d2c4" stroke-width="3"/>
      <path d="M366 84h68v26c0 28 56 40 56 92v318a26 26 0 0 1-26 26H336a26 26 0 0 1-26-26V202c0-52 56-64 56-92z" fill="#7fa43c"/>
      <path d="M310 216h180v236H310z" fill="#2f6d3f"/><path d="M310 216h180v10H310zM310 442h180v10H310z" fill="#d8b552"/>
      <circle cx="400" cy="308" r="58" fill="#f5f1e6"/>
      <path d="M400 262c46 18 46 74 0 94-46-20-46-76 0-94z" fill="#4f8f46"/><path d="M400 270v80" stroke="#f5f1e6" stroke-width="4"/>
      <text x="400" y="410" font-size="26" fill="#fff" text-anchor="middle" font-family="Noto Serif CJK JP" letter-spacing="4">一番摘み</text>
      <text x="640" y="120" font-size="26" text-anchor="middle" fill="#5d584a" font-family="Noto Sans CJK JP">パッケージ案 A</text>`,
  }
}
