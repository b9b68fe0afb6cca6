import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

const FOLDERS = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  path.join(homedir(), '.fonts'),
  path.join(homedir(), '.local/share/fonts'),
  '/System/Library/Fonts',
  '/Library/Fonts',
  String.raw`C:\Windows\Fonts`,
]

// In order of preference. The first kind has Japanese, Chinese or Korean characters as well as Latin ones.
const EAST_ASIAN = [
  /^NotoSansCJK-Regular\.ttc$/i,
  /^NotoSans(Mono)?CJK.*\.(ttc|otf)$/i,
  /^NotoSansJP.*\.(otf|ttf)$/i,
  /^(ipaexg|ipag|ipagp|VL-?P?Gothic.*|TakaoP?Gothic)\.ttf$/i,
  /^NotoSerifCJK-Regular\.ttc$/i,
  /^Noto.*CJK.*\.(ttc|otf)$/i,
  /^(ヒラギノ角ゴシック W3|HiraginoSans-W3|Hiragino Sans GB)\.ttc$/i,
  /^(YuGothR|YuGothM|meiryo|msgothic)\.ttc$/i,
  /^(wqy|Droid).*(Fallback|zenhei|microhei).*\.tt[cf]$/i,
]
const LATIN = [
  /^DejaVuSans\.ttf$/i,
  /^NotoSans-Regular\.ttf$/i,
  /^LiberationSans-Regular\.ttf$/i,
  /^(Arial|Helvetica|segoeui)\.tt[cf]$/i,
  /^[A-Za-z]+Sans[A-Za-z-]*\.(ttf|otf)$/i,
]

const THAI = [
  /^NotoSansThai(Looped)?-Regular\.(ttf|otf)$/i,
  /^(Loma|Garuda|Waree|Umpush|Kinnari)(-Regular)?\.(ttf|otf)$/i,
  /^(tahoma|LeelawUI|leelawad|Thonburi)\.tt[cf]$/i,
]
// Fonts with Arabic, Hebrew and Latin letters, because a name may mix them.
const RIGHT_TO_LEFT = [/^DejaVuSans\.ttf$/i, /^(Arial|tahoma|segoeui)\.ttf$/i]

/** Font files of this machine, by the scripts that they cover. */
export interface Fonts {
  eastAsian: string | undefined
  thai: string | undefined
  rightToLeft: string | undefined
  latin: string | undefined
}

export function findFonts(folders: readonly string[] = FOLDERS): Fonts {
  const files = folders.flatMap(listFonts)
  return {
    eastAsian: preferred(files, EAST_ASIAN),
    thai: preferred(files, THAI),
    rightToLeft: preferred(files, RIGHT_TO_LEFT),
    latin: preferred(files, LATIN),
  }
}

/** The characters that every font of a kind has. Any other character would be an empty box. */
const COVERED = {
  latin: /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u0020-\u00ff\u2010-\u2027]/u,
  eastAsian:
    /[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}]/u,
  thai: /[\p{Script=Thai}\u0020-\u007e]/u,
  // Includes vowel signs, which belong to no script.
  rightToLeft:
    /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Inherited}\u060c\u061b\u061f\u0640\u0020-\u007e]/u,
} as const

const LETTERS = /[\p{L}\p{N}]/gu

/** A font file, and the part of a text that it can write. */
export interface Written {
  fontFile: string
  text: string
}

/**
 * The font that writes the most letters of a text, and the text without the characters that it lacks; undefined if no font has any
 * of its letters.
 */
export function fontFor(
  text: string,
  { eastAsian, thai, rightToLeft, latin }: Fonts,
): Written | undefined {
  const kinds = [
    { fontFile: latin ?? eastAsian, covered: COVERED.latin },
    { fontFile: eastAsian, covered: COVERED.eastAsian },
    { fontFile: thai, covered: COVERED.thai },
    { fontFile: rightToLeft, covered: COVERED.rightToLeft },
  ]
  let best: (Written & { letters: number }) | undefined
  for (const { fontFile, covered } of kinds) {
    if (fontFile === undefined) continue
    const kept = Array.from(text).filter((character) => covered.test(character))
    const line = kept.join('').replaceAll(/\s+/g, ' ').trim()
    const letters = line.match(LETTERS)?.length ?? 0
    if (letters > (best?.letters ?? 0)) best = { fontFile, text: line, letters }
  }
  return best && { fontFile: best.fontFile, text: best.text }
}

/** True if a text has letters that must be reordered and joined to be drawn. */
export function isRightToLeft(text: string): boolean {
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text)
}

function listFonts(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
      path.join(folder, name),
    )
  } catch {
    // This machine does not have the folder.
    return []
  }
}

function preferred(files: readonly string[], names: readonly RegExp[]): string | undefined {
  for (const name of names) {
    const found = files.filter((file) => name.test(path.basename(file))).toSorted()[0]
    if (found !== undefined) return found
  }
  return undefined
}
