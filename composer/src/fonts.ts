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

// Every font of the kind has these characters. Any other character of a name would be an empty box.
const PLAIN = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u0020-\u00ff\u2010-\u2027]*$/u
const WITH_EAST_ASIAN =
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}]*$/u
const WITH_THAI = /^[\p{Script=Thai}\u0020-\u007e]*$/u

// Includes vowel signs, which belong to no script.
const WITH_RIGHT_TO_LEFT =
  /^[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Inherited}\u060c\u061b\u061f\u0640\u0020-\u007e]*$/u

/** The font for a text; undefined if no font covers it. */
export function fontFor(
  text: string,
  { eastAsian, thai, rightToLeft, latin }: Fonts,
): string | undefined {
  if (PLAIN.test(text)) return latin ?? eastAsian
  if (WITH_EAST_ASIAN.test(text)) return eastAsian
  if (WITH_THAI.test(text)) return thai
  return WITH_RIGHT_TO_LEFT.test(text) ? rightToLeft : undefined
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
