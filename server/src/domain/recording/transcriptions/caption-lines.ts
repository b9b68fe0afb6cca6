/** In halves of a full-width character: a line takes 20 of these, or 40 letters. */
export const LINE_MAX = 40
export const LINES_MAX = 2

/** Characters that must not begin a line or a cue in Japanese and Chinese typography. */
const NOT_AT_START =
  /^[\p{Pe}\p{Pf}、。，．・：；？！ーゝゞヽヾ々〻ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ‐〜～…‥%％,.!?:;]/u
/** Characters that must not end a line or a cue. */
const NOT_AT_END = /[\p{Ps}\p{Pi}]$/u
/** Bounds the work for a text that consists only of punctuation. */
const MOVED_MAX = 4

const segmenter = new Intl.Segmenter('ja', { granularity: 'grapheme' })

/** The user-perceived characters of a text. */
export function graphemesOf(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment)
}

export function mayBreakBetween(before: string, after: string): boolean {
  return !NOT_AT_START.test(after) && !NOT_AT_END.test(before)
}

/** A letter of a script with spaces between words, or a sign that connects such letters. */
const CONNECTED = String.raw`(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}'’-]`
const ENDS_CONNECTED = new RegExp(`${CONNECTED}$`, 'u')
const BEGINS_CONNECTED = new RegExp(`^${CONNECTED}`, 'u')

/** True if both are pieces of one word that fits into a line. */
export function isOneWord(before: string, after: string): boolean {
  const isConnected = ENDS_CONNECTED.test(before) && BEGINS_CONNECTED.test(after)
  return isConnected && widthOf(before) + widthOf(after) <= LINE_MAX
}

/** Fills line by line. Text without spaces is broken between characters. */
export function linesOf(text: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const piece of text.trim().match(/\s*\S+/g) ?? []) {
    if (widthOf(line + piece) <= LINE_MAX) line += piece
    else if (widthOf(piece.trim()) <= LINE_MAX) {
      lines.push(line)
      line = piece.trim()
    } else {
      const broken = breakBetweenCharacters(line + (line === '' ? piece.trim() : piece))
      lines.push(...broken.slice(0, -1))
      line = broken.at(-1) ?? ''
    }
  }
  return [...lines, line].map((each) => each.trim()).filter((each) => each !== '')
}

function breakBetweenCharacters(text: string): string[] {
  const lines: string[] = []
  let line: string[] = []
  for (const char of unbrokenOf(text)) {
    if (line.length > 0 && widthOf(line.join('') + char) > LINE_MAX) {
      const kept = line.slice(0, breakOf(line, char))
      lines.push(kept.join(''))
      line = line.slice(kept.length)
    }
    line.push(char)
  }
  return [...lines, line.join('')]
}

/** Characters, and words of letters as one unit each. */
function unbrokenOf(text: string): string[] {
  const units: string[] = []
  for (const char of graphemesOf(text)) {
    const last = units.at(-1)
    if (last !== undefined && isOneWord(last, char)) units.splice(-1, 1, last + char)
    else units.push(char)
  }
  return units
}

/** Number of characters that stay on the line when the next one does not fit. */
function breakOf(line: readonly string[], next: string): number {
  for (let kept = line.length; kept > Math.max(0, line.length - MOVED_MAX); kept -= 1) {
    if (mayBreakBetween(line[kept - 1] ?? '', line[kept] ?? next)) return kept
  }
  return line.length
}

/** In halves of a full-width character. */
export function widthOf(text: string): number {
  let width = 0
  for (const char of text) width += FULL_WIDTH.test(char) ? 2 : 1
  return width
}

const FULL_WIDTH =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
