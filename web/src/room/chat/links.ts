/** A part of a message. `url` is set if it is an address that can be opened. */
export interface TextPart {
  text: string
  url?: string
}

const ADDRESS = /https?:\/\/[^\s<>"「」『』（）［］｛｝、。]+/gi
/** Punctuation at the end belongs to the sentence. */
const END = /[.,;:!?'")\]}>]+$/

/** Splits a text at the addresses of pages in it. The parts together are the text. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = []
  let done = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutEnd(found)
    if (urlOf(address) === undefined) continue
    if (index > done) parts.push({ text: text.slice(done, index) })
    parts.push({ text: address, url: address })
    done = index + address.length
  }
  if (done < text.length) parts.push({ text: text.slice(done) })
  return parts
}

/** A closing bracket stays if the address opens it, as in those of encyclopedias. */
function withoutEnd(found: string): string {
  const address = found.replace(END, '')
  const isOpen = address.includes('(') && !address.includes(')')
  return isOpen && found[address.length] === ')' ? `${address})` : address
}

function urlOf(address: string): URL | undefined {
  try {
    return new URL(address)
  } catch {
    return undefined
  }
}
