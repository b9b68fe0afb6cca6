import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../../platform/config/config.ts'
import type { App } from '../http/app-types.ts'
import { escaped, type GuidePage, readGuidePages, renderErrorsPage } from './guide-pages.ts'

/** Allows only the page itself with its own style: no script, no font, no image. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Links that the guide lists after its pages, each with the address of the same content for programs. */
const REFERENCES = [
  {
    address: '/docs/reference/',
    forPrograms: '/docs/reference.md',
    words: 'Every operation of the API',
  },
  { address: '/docs/errors', forPrograms: '/docs/errors.md', words: 'Every error code' },
  {
    address: '/api/v1/openapi.json',
    forPrograms: '/api/v1/openapi.json',
    words: 'API description (OpenAPI 3.1)',
  },
]
const SUMMARY = 'Book rooms, let people in, and learn what happened, from your own backend.'

/** `GET /docs/`, the pages below it, each also as Markdown, and `/llms.txt`, which lists the Markdown. */
export function guideRoutes(app: App, { publicUrl }: Pick<Config, 'publicUrl'>): void {
  const pages = readGuidePages()
  serve(app, '/docs/', frameOf('Integration guide', contentsOf(pages), pages))
  for (const { slug, title, html, markdown } of [...pages, renderErrorsPage()]) {
    serve(app, `/docs/${slug}`, frameOf(title, html, pages))
    serveText(app, `/docs/${slug}.md`, { mime: 'text/markdown', text: markdown })
  }
  serveText(app, '/llms.txt', { mime: 'text/plain', text: contentsForPrograms(pages, publicUrl) })
  app.get('/docs', async (_request, reply) => reply.redirect('/docs/', 301))
}

function serve(app: App, address: string, page: string): void {
  app.get(address, async (_request, reply) =>
    reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(page),
  )
}

function serveText(app: App, address: string, { mime, text }: { mime: string; text: string }) {
  app.get(address, async (_request, reply) => reply.type(`${mime}; charset=utf-8`).send(text))
}

function contentsOf(pages: readonly GuidePage[]): string {
  const items = pages.map(
    ({ slug, title }) => `<li><a href="/docs/${slug}">${escaped(title)}</a></li>`,
  )
  const references = REFERENCES.map(
    ({ address, words }) => `<li><a href="${address}">${words}</a></li>`,
  )
  return `<h1>Integration guide</h1>
<p>${SUMMARY}</p>
<p>${escaped(versionOf(packageJson.version))}</p>
<ol>
${items.join('\n')}
</ol>
<h2>Reference</h2>
<ul>
${references.join('\n')}
</ul>`
}

/** Contents in the form that llmstxt.org describes. */
function contentsForPrograms(pages: readonly GuidePage[], publicUrl: string): string {
  const items = pages.map(
    ({ slug, title, markdown }) =>
      `- [${title}](${publicUrl}/docs/${slug}.md): ${firstSentence(markdown)}`,
  )
  const references = REFERENCES.map(
    ({ forPrograms, words }) => `- [${words}](${publicUrl}${forPrograms})`,
  )
  return `# Interview Room Service

> Video interview rooms for research companies. ${SUMMARY}

## Integration guide

${items.join('\n')}

## Reference

${references.join('\n')}
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

function frameOf(title: string, content: string, pages: readonly GuidePage[]): string {
  const links = pages.map(
    (page) => `<li><a href="/docs/${page.slug}">${escaped(page.title)}</a></li>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} - Interview Room Service</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a href="/docs/">Integration guide</a> <a href="/docs/reference/">Reference</a> <a href="/docs/errors">Errors</a></header>
<main id="content">
${content}
</main>
<nav aria-label="Pages of the guide"><ul>
${links.join('\n')}
</ul></nav>
</body>
</html>
`
}

const STYLE = `
:root { color-scheme: light dark; --text: #2a2f45; --line: #0000001a; --link: #0b5cd6; --code: #f6f6f6; --back: #fff }
@media (prefers-color-scheme: dark) { :root { --text: #ffffffe6; --line: #ffffff1a; --link: #4d9bff; --code: #1a1a1a; --back: #0f0f0f } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, -apple-system, 'Segoe UI', sans-serif; overflow-wrap: anywhere }
header { display: flex; flex-wrap: wrap; gap: 16px; padding: 12px 16px; border-bottom: 1px solid var(--line) }
header a, nav a { display: inline-block; min-height: 24px }
main, nav { max-width: 820px; margin: 0 auto; padding: 16px }
nav { border-top: 1px solid var(--line) }
h1 { font-size: 28px } h2 { font-size: 20px; margin-top: 32px } h3 { font-size: 17px }
a { color: var(--link) }
code { background: var(--code); border-radius: 4px; padding: 1px 4px; font-size: 14px }
pre { background: var(--code); border-radius: 8px; padding: 12px; overflow: auto; overflow-wrap: normal }
pre code { padding: 0 }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: 15px; overflow-wrap: normal }
th, td { border-bottom: 1px solid var(--line); padding: 6px 12px 6px 0; text-align: left; vertical-align: top }
.skip { position: absolute; left: -999px } .skip:focus { position: static }
`
