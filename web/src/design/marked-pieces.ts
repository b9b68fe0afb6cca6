/** A text without regard to case, width and the length of spaces. */
export const folded = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ')

/** A text in pieces, those that match the words marked. Undefined marks if folding changes its length. */
export function markedPieces(text: string, words: string): { text: string; isHit: boolean }[] {
  const wanted = folded(words.trim())
  const source = folded(text)
  if (wanted === '' || source.length !== text.length) return [{ text, isHit: false }]
  const pieces: { text: string; isHit: boolean }[] = []
  let from = 0
  for (let at = source.indexOf(wanted); at !== -1; at = source.indexOf(wanted, from)) {
    if (at > from) pieces.push({ text: text.slice(from, at), isHit: false })
    pieces.push({ text: text.slice(at, at + wanted.length), isHit: true })
    from = at + wanted.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isHit: false })
  return pieces
}
