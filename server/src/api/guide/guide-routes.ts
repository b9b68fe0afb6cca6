import packageJson from '../../../package.json' with { type: 'json' }
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import type { Document } from '../openapi/document.ts'
import {
  REFERENCE,
  REFERENCE_TITLES,
  referenceContents,
  referencePages,
} from '../openapi/reference-pages.ts'
import { sendPage } from '../pages/pages.ts'
import {
  escaped,
  type GuidePage,
  readGuidePages,
  renderErrorsPage,
  renderPage,
} from './guide-pages.ts'
import { type Listed, navigation, pageTurns, searchIndex } from './navigation.ts'

const SUMMARY = 'Book rooms, let people in, and learn what happened, from your own backend.'
const DESCRIPTION = { address: '/api/v1/openapi.json', words: 'API description (OpenAPI 3.1)' }

/**
 * `GET /docs/`, the pages of the guide and of the reference below it, each also as Markdown, `/docs/search.json`, which
 * the search of the pages loads, and `/llms.txt`, which lists the Markdown.
 */
export function guideRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'storage'>,
  description: () => Document,
): void {
  const guide = readGuidePages()
  const errors = renderErrorsPage()
  const contents = { slug: REFERENCE, title: 'API reference' }
  const reference = [
    contents,
    ...Object.entries(REFERENCE_TITLES).map(([slug, title]) => ({ slug, title })),
    errors,
  ]
  const listed = { guide, reference }
  const made = onFirstUse(() => renderReference(description()))
  const find = (slug: string) =>
    [...guide, errors].find((page) => page.slug === slug) ?? made()[slug]

  const serve = (slug: string, page: () => GuidePage | undefined) =>
    app.get(`/docs/${slug}`, async (_request, reply) => {
      const { title, html, sections } = page() ?? { title: '', html: '', sections: [] }
      return sendPage(reply, deps, {
        file: 'docs.html',
        reaches: 'the service',
        isKept: true,
        fill: {
          title: escaped(title),
          navigation: navigation(listed, { slug, sections }),
          content: `${html}${pageTurns(listed, slug)}`,
        },
      })
    })

  const start = { slug: '', title: 'Integration guide', markdown: '', sections: [] }
  serve('', () => ({ ...start, html: contentsOf(listed) }))
  for (const { slug } of [...guide, ...reference]) {
    serve(slug, () => find(slug))
    serveText(app, `/docs/${slug}.md`, 'text/markdown', () => find(slug)?.markdown ?? '')
  }
  serveText(app, '/docs/search.json', 'application/json', () =>
    JSON.stringify(searchIndex([...guide, ...Object.values(made()), errors])),
  )
  serveText(app, '/llms.txt', 'text/plain', () =>
    contentsForPrograms(guide, reference, deps.config.publicUrl),
  )
  app.get('/docs', async (_request, reply) => reply.redirect('/docs/', 301))
  app.get(`/docs/${REFERENCE}/`, async (_request, reply) =>
    reply.redirect(`/docs/${REFERENCE}`, 301),
  )
}

/** The description is complete only once every route has been registered. */
function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function renderReference(document: Document): Record<string, GuidePage> {
  const markdown = { [REFERENCE]: referenceContents(document), ...referencePages(document) }
  return Object.fromEntries(
    Object.entries(markdown).map(([slug, text]) => [slug, renderPage(slug, text)]),
  )
}

function serveText(app: App, address: string, mime: string, text: () => string): void {
  app.get(address, async (_request, reply) => reply.type(`${mime}; charset=utf-8`).send(text()))
}

interface Listing {
  guide: readonly Listed[]
  reference: readonly Listed[]
}

function contentsOf({ guide, reference }: Listing): string {
  return `<h1>Integration guide</h1>
<p>${SUMMARY}</p>
<p>${escaped(versionOf(packageJson.version))}</p>
<ol>
${guide.map(itemOf).join('\n')}
</ol>
<h2>Reference</h2>
<ul>
${reference.map(itemOf).join('\n')}
<li><a href="${DESCRIPTION.address}">${DESCRIPTION.words}</a></li>
</ul>`
}

function itemOf({ slug, title }: Listed): string {
  return `<li><a href="/docs/${slug}">${escaped(title)}</a></li>`
}

/** Contents in the form that llmstxt.org describes. */
function contentsForPrograms(
  guide: readonly GuidePage[],
  reference: readonly Listed[],
  publicUrl: string,
): string {
  const items = guide.map(
    ({ slug, title, markdown }) =>
      `- [${title}](${publicUrl}/docs/${slug}.md): ${firstSentence(markdown)}`,
  )
  const references = reference.map(
    ({ slug, title }) => `- [${title}](${publicUrl}/docs/${slug}.md)`,
  )
  return `# Interview Room Service

> Video interview rooms for research companies. ${SUMMARY}

## Integration guide

${items.join('\n')}

## Reference

${references.join('\n')}
- [${DESCRIPTION.words}](${publicUrl}${DESCRIPTION.address})
`
}

/** The sentence below the title: for whom the page is, and what it says. */
function firstSentence(markdown: string): string {
  const [, sentence = ''] = /^# .+\n+([^]+?\.)(?=\s)/.exec(markdown) ?? []
  return sentence.replaceAll(/\s+/g, ' ')
}

/** Between two releases, the pages describe features that the last one does not have. */
function versionOf(version: string): string {
  const end = version.endsWith('-dev') ? ', with changes that are not released yet.' : '.'
  return `Version ${version}${end}`
}
