import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ERRORS } from '@interview-room/contract/errors.ts'
import { Marked, type Token, type Tokens } from 'marked'
import { errorsMarkdown } from '../openapi/errors-page.ts'

const DOCS = path.resolve(import.meta.dirname, '../../../../docs')

/** The pages for integrators, in reading order, by their address below `/docs/`. */
const PAGES: Readonly<Record<string, string>> = {
  'five-minutes': 'guide/five-minutes.md',
  'participant-tokens': 'participant-tokens.md',
  'rooms-and-roles': 'guide/rooms-and-roles.md',
  webhooks: 'guide/webhooks.md',
  review: 'guide/review.md',
  'viewer-tokens': 'viewer-tokens.md',
  embedding: 'embedding.md',
  sandbox: 'guide/sandbox.md',
  api: 'api.md',
  lifecycles: 'lifecycles.md',
  transcription: 'transcription.md',
  'connection-tests': 'connection-tests.md',
  'data-protection': 'data-protection.md',
  retention: 'retention.md',
  versioning: 'guide/versioning.md',
}

/** Below `docs/`. */
export const GUIDE_FILES: readonly string[] = Object.values(PAGES)

export interface GuidePage {
  slug: string
  title: string
  /** Its links lead to the Markdown of other pages. */
  markdown: string
  /** The content of the page, without its frame. */
  html: string
  sections: readonly Section[]
}

/** A heading with the text below it. The first section of a page has its title. */
export interface Section {
  /** Its anchor. */
  id: string
  heading: string
  depth: number
  text: string
}

/** Rendered once, at the start. An installation without `docs/` has no guide. */
export function readGuidePages(): GuidePage[] {
  return Object.entries(PAGES).flatMap(([slug, file]) => {
    const source = path.join(DOCS, file)
    if (!existsSync(source)) return []
    return [renderPage(slug, withAddresses(readFileSync(source, 'utf8'), file))]
  })
}

/** The page of the error codes, which no file has. */
export function renderErrorsPage(): GuidePage {
  return renderPage('errors', errorsMarkdown())
}

export function renderPage(slug: string, markdown: string): GuidePage {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? slug
  const anchors = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = text in ERRORS ? text : anchorOf(plain(text), anchors)
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const address = href.replace(/^(\/docs\/[\w/-]+)\.md/, '$1')
        return `<a href="${escaped(address)}">${this.parser.parseInline(tokens)}</a>`
      },
      // A wide table or line scrolls in its own frame, which the keyboard can reach.
      table(token: Tokens.Table) {
        return `<div class="wide" role="region" aria-label="Table" tabindex="0">${tableOf(this, token)}</div>\n`
      },
      code({ text, lang = '' }: Tokens.Code) {
        const language = escaped(lang.split(' ')[0] ?? '')
        return `<div class="code"><pre tabindex="0" aria-label="Code ${language}"><code>${escaped(text)}</code></pre></div>\n`
      },
      html: ({ text }) => escaped(text),
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { slug, title, markdown, html, sections: sectionsOf(marked.lexer(markdown)) }
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: Section[] = []
  const anchors = new Map<string, number>()
  for (const token of tokens) {
    if (token.type !== 'heading') {
      const section = sections.at(-1)
      if (section !== undefined) section.text += ` ${plain(token.raw)}`
      continue
    }
    const { text, depth } = token as Tokens.Heading
    const heading = plain(text)
    const id = text in ERRORS ? text : anchorOf(heading, anchors)
    sections.push({ id, heading, depth, text: '' })
  }
  return sections.map((section) => ({ ...section, text: section.text.trim() }))
}

/** The words of a piece of Markdown. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^[#>\s]+|[`*|]|-{3,}/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function tableOf(
  { parser }: { parser: { parseInline(tokens: Tokens.TableCell['tokens']): string } },
  { header, rows }: Tokens.Table,
): string {
  const cell = (tag: string, { tokens }: Tokens.TableCell) =>
    `<${tag}>${parser.parseInline(tokens)}</${tag === 'td' ? 'td' : 'th'}>`
  const head = header.map((each) => cell('th scope="col"', each)).join('')
  const body = rows.map((row) => `<tr>${row.map((each) => cell('td', each)).join('')}</tr>`)
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table>`
}

/** The anchor that links of the pages use: lower case, hyphens, and a number for a repeat. */
function anchorOf(heading: string, seen: Map<string, number>): string {
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  const anchor = words.trim().replaceAll(/\s/g, '-')
  const count = seen.get(anchor) ?? 0
  seen.set(anchor, count + 1)
  return count === 0 ? anchor : `${anchor}-${count}`
}

/** A block or a piece of code; or an image or a link with its words and its target. */
const CODE_OR_LINK = /^ *```[^]*?^ *```|`[^`]+`|!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\(([^()\s]+)\)/gm

/** The source of a page with links that hold outside of the repository, and without its images. */
function withAddresses(markdown: string, file: string): string {
  return markdown.replaceAll(CODE_OR_LINK, (all, words?: string, href = '') => {
    if (words === undefined) return all
    if (all.startsWith('!')) return ''
    const address = addressOf(href, file)
    return address === undefined ? words : `[${words}](${address})`
  })
}

/** Undefined for a page of the repository that is not in the guide: its link is left out. */
function addressOf(href: string, file: string): string | undefined {
  if (/^https?:/.test(href) || href.startsWith('#')) return href
  const [target = '', anchor] = href.split('#')
  const wanted = path.posix.join(path.posix.dirname(file), target)
  if (wanted === 'openapi.json') return '/api/v1/openapi.json'
  const slug = Object.keys(PAGES).find((each) => PAGES[each] === wanted)
  if (slug === undefined) return undefined
  return `/docs/${slug}.md${anchor === undefined ? '' : `#${anchor}`}`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
}
