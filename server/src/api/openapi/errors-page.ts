import { DETAIL_GUIDE, ERROR_GUIDE } from '@interview-room/contract/error-guide.ts'
import { ERRORS, type ErrorCode } from '@interview-room/contract/errors.ts'
import type { App } from '../http/app-types.ts'

/** Where the errors are explained; each code is an anchor. */
export const ERRORS_PAGE = '/docs/errors'

/** Nothing but itself: no script, no font, no image, and its own style. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** `GET /docs/errors`: what every error code means and what to do about it. */
export function errorsPageRoute(app: App): void {
  const page = errorsPage()
  app.get(ERRORS_PAGE, async (_request, reply) =>
    reply
      .header('content-security-policy', POLICY)
      .type('text/html; charset=utf-8')
      .serializer((text: string) => text)
      .send(page),
  )
}

const CODES = Object.keys(ERRORS) as ErrorCode[]

function errorsPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors - Interview Room Service API</title>
<style>${STYLE}</style>
</head>
<body>
<header><a href="/docs/">Integration guide</a> <a href="/docs/reference/">Reference</a></header>
<main>
<h1>Errors</h1>
<p>${inline('Every error is `{"success": false, "error": {"code", "message", "details"?}}`. Act on `code` and on the codes in `details`. Messages are for people and may change.')}</p>
<p>${inline('400 means that the request does not match the API description. 409 means that it conflicts with the current state. 422 means that it breaks a rule. Retry 429, 502 and 503, and 409 `IDEMPOTENCY_KEY_IN_USE`, after the time in `Retry-After` where there is one. Quote `X-Request-Id` when you ask for support.')}</p>
<nav aria-label="Error codes"><ul>
${CODES.map((code) => `<li>${ERRORS[code].status} <a href="#${code}">${escaped(code)}</a></li>`).join('\n')}
<li><a href="#details">Codes in details</a></li>
</ul></nav>
${CODES.map(sectionOf).join('\n')}
<section id="details">
<h2>Codes in <code>details</code></h2>
<p>${inline('`details` lists up to 50 fields, each as `{field, code, message}`. `field` is a dotted path, such as `session.ends_at`.')}</p>
<dl>
${Object.entries(DETAIL_GUIDE)
  .map(
    ([code, text]) =>
      `<dt id="details-${escaped(code)}"><code>${escaped(code)}</code></dt><dd>${inline(text)}</dd>`,
  )
  .join('\n')}
</dl>
</section>
</main>
</body>
</html>
`
}

function sectionOf(code: ErrorCode): string {
  const { status, message } = ERRORS[code]
  const { meaning, causes, remedy } = ERROR_GUIDE[code]
  return `<section id="${code}">
<h2><a href="#${code}">${escaped(code)}</a> <small>${status}</small></h2>
<p>${inline(meaning)}</p>
<h3>Message</h3>
<p>${inline(message)}</p>
<h3>Likely causes</h3>
<ul>
${causes.map((cause) => `<li>${inline(cause)}</li>`).join('\n')}
</ul>
<h3>What to do</h3>
<p>${inline(remedy)}</p>
</section>`
}

/** Text with its code between backticks, as HTML. */
export function inline(text: string): string {
  return text
    .split('`')
    .map((part, at) => (at % 2 === 0 ? escaped(part) : `<code>${escaped(part)}</code>`))
    .join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

const STYLE = `
:root { color-scheme: light dark; --text: #2a2f45; --muted: #757575; --line: #0000001a; --link: #0b5cd6; --code: #f6f6f6; --back: #fff }
@media (prefers-color-scheme: dark) { :root { --text: #ffffffe6; --muted: #ffffff9e; --line: #ffffff1a; --link: #4d9bff; --code: #1a1a1a; --back: #0f0f0f } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, -apple-system, 'Segoe UI', sans-serif; overflow-wrap: anywhere }
header { padding: 12px 16px; border-bottom: 1px solid var(--line) }
main { max-width: 760px; margin: 0 auto; padding: 16px }
h1 { font-size: 28px } h2 { font-size: 20px; margin: 0 } h3 { font-size: 14px; margin: 16px 0 0; color: var(--muted) }
p, ul, dl { margin: 8px 0 } dd { margin: 0 0 12px } small { color: var(--muted); font-weight: normal }
a { color: var(--link) } h2 a { color: inherit; text-decoration: none }
code { background: var(--code); border-radius: 4px; padding: 1px 4px; font-size: 14px }
nav ul { list-style: none; padding: 0; columns: 2 320px }
section { border-top: 1px solid var(--line); padding: 24px 0 }
section:target h2 { color: var(--link) }
`
