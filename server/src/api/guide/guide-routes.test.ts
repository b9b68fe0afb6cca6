import { Marked } from 'marked'
import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { REFERENCE_TITLES } from '../openapi/reference-pages.ts'
import { liveness } from '../operations/health.ts'

const plane = useControlPlane()
const REFERENCE_PAGES = Object.keys(REFERENCE_TITLES).map((slug) => `/docs/${slug}`)

async function slugs(): Promise<string[]> {
  const { body } = await plane.app.inject('/docs/')
  const [, list = ''] = body.split('<ol>')
  const [own = ''] = list.split('</ol>')
  return [...own.matchAll(/href="(\/docs\/[\w-]+)"/g)].map(([, address]) => address ?? '')
}

describe('the integration guide', () => {
  test('lists its pages and the reference at /docs/, without a credential', async () => {
    const page = await plane.app.inject('/docs/')
    expect(page.statusCode).toBe(200)
    expect(await slugs()).toContain('/docs/five-minutes')
    expect(page.body).toContain('href="/docs/reference"')
    const bare = await plane.app.inject('/docs')
    expect([bare.statusCode, bare.headers.location]).toEqual([301, '/docs/'])
    const former = await plane.app.inject('/docs/reference/')
    expect([former.statusCode, former.headers.location]).toEqual([301, '/docs/reference'])
  })

  test('says which version it describes, and whether that is released', async () => {
    const { body } = await plane.app.inject('/docs/')
    const version = liveness().releaseId
    expect(body).toContain(`Version ${version}`)
    expect(body.includes('not released yet')).toBe(version.endsWith('-dev'))
  })

  test('has a page for the engineer who shows a room in a frame', async () => {
    expect(await slugs()).toContain('/docs/embedding')
    const page = await plane.app.inject('/docs/embedding')
    expect(page.body).toContain('&lt;iframe')
    expect(page.body).toContain('<a href="/docs/participant-tokens">')
  })

  test('has pages with one heading that load nothing from outside, and allow only their own scripts', async () => {
    for (const address of ['/docs/', ...(await slugs()), ...REFERENCE_PAGES]) {
      const page = await plane.app.inject(address)
      expect(page.statusCode, address).toBe(200)
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
      const policy = String(page.headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
      expect(policy).not.toMatch(/https?:|unsafe/)
      expect(page.body, address).not.toMatch(
        /(?:src|srcset|href)="https?:[^"]+\.(?:js|css|png)|<img|<style/,
      )
      expect(page.body.match(/<h1/g), address).toHaveLength(1)
      expect(page.body).toContain('<html lang="en">')
    }
  })

  test('links only to what is there, anchors included', async () => {
    const broken: string[] = []
    const seen = new Map<string, { statusCode: number; body: string }>()
    for (const address of [...(await slugs()), '/docs/errors', ...REFERENCE_PAGES]) {
      const { body } = await plane.app.inject(address)
      for (const [, href = ''] of body.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        if (/^https?:/.test(href)) continue
        const [path = '', anchor] = href.split('#')
        const target = path === '' ? address : path
        const found = seen.get(target) ?? (await plane.app.inject(target))
        seen.set(target, found)
        const isThere = anchor === undefined || found.body.includes(`id="${anchor}"`)
        if (!isThere || found.statusCode !== 200) broken.push(`${address}: ${href}`)
      }
    }
    expect(broken).toEqual([])
  })

  test('shows code as text, and tables with headings of columns', async () => {
    const { body } = await plane.app.inject('/docs/participant-tokens')
    expect(body).toContain('&quot;external_type&quot;')
    expect(body).toContain('<th scope="col">Claim</th>')
    expect(body).toContain('<code>room-entry+jwt</code>')
  })
})

test('the pages have their place in the navigation, and lead to the one before and after', async () => {
  const { body } = await plane.app.inject('/docs/webhooks')
  expect(body.match(/aria-current="page"/g)).toHaveLength(1)
  expect(body).toContain('<a href="/docs/webhooks" aria-current="page">')
  expect(body).toMatch(/aria-current="page">[^<]+<\/a><ul><li><a href="#/)
  expect(body).toMatch(/<a rel="prev" href="\/docs\/rooms-and-roles">/)
  expect(body).toMatch(/<a rel="next" href="\/docs\/review">/)
})

describe('the reference', () => {
  test('has a page for each tag, with every operation of the API', async () => {
    const { paths } = (await plane.app.inject('/api/v1/openapi.json')).json()
    const operations = Object.values<object>(paths).flatMap((methods) => Object.values(methods))
    const pages = REFERENCE_PAGES.map(async (each) => plane.app.inject(`${each}.md`))
    const all = (await Promise.all(pages)).map(({ body }) => body).join('\n')
    for (const { summary } of operations) expect(all).toContain(`\n## ${summary}\n`)
  })

  test('shows of an operation the address, fields with their types, an example and the errors', async () => {
    const { body } = await plane.app.inject('/docs/reference/rooms')
    expect(body).toContain('<code>POST /api/v1/rooms</code>')
    expect(body).toContain('<code>Idempotency-Key</code>')
    expect(body).toContain('<a href="#roomrequest">RoomRequest</a>')
    expect(body).toMatch(/<td><code>starts_at<\/code><\/td><td>string \(date-time\)<\/td>/)
    expect(body).toContain('One of <code>always</code>, <code>manual</code>.')
    expect(body).toContain('&quot;archive_mode&quot;: &quot;always&quot;')
    expect(body).toContain('<a href="/docs/errors#RTC_PROVISION_FAILED">')
    const { body: events } = await plane.app.inject('/docs/reference/webhook-events')
    expect(events).toContain('>A person entered a room</h2>')
  })
})

test('the search index has every section with its address and its words', async () => {
  const sections: { href: string; page: string; heading: string; text: string }[] = (
    await plane.app.inject('/docs/search.json')
  ).json()
  expect(sections).toContainEqual({
    href: '/docs/errors#ROOM_CLOSED',
    page: 'Errors',
    heading: 'ROOM_CLOSED',
    text: expect.stringContaining('409'),
  })
  expect(sections.map(({ href }) => href)).toEqual(
    expect.arrayContaining([...(await slugs()), ...REFERENCE_PAGES]),
  )
  for (const href of ['/docs/reference/rooms', '/docs/participant-tokens']) {
    const { body } = await plane.app.inject(href)
    const anchors = sections.filter((each) => each.href.startsWith(`${href}#`))
    expect(anchors.length).toBeGreaterThan(3)
    for (const each of anchors) expect(body).toContain(`id="${each.href.split('#')[1]}"`)
  }
})

/** Addresses of the Markdown of every page that `/docs/` links. */
async function twins(): Promise<string[]> {
  const { body } = await plane.app.inject('/docs/')
  const links = [...body.matchAll(/href="(\/docs\/[\w/-]+)"/g)].map(([, page]) => `${page}.md`)
  return [...new Set(links)]
}

function linksIn(markdown: string): string[] {
  const marked = new Marked()
  const links: string[] = []
  void marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'link') links.push(String(token['href']))
    expect(token.type).not.toBe('image')
  })
  return links
}

describe('the guide as Markdown', () => {
  test('has every page that /docs/ links, at the same address with .md', async () => {
    expect(await twins()).toEqual(
      expect.arrayContaining(['/docs/five-minutes.md', '/docs/errors.md', '/docs/reference.md']),
    )
    for (const address of await twins()) {
      const { statusCode, headers, body } = await plane.app.inject(address)
      expect([statusCode, headers['content-type']], address).toEqual([
        200,
        'text/markdown; charset=utf-8',
      ])
      expect(body, address).toMatch(/^# \w/)
    }
  })

  test('links only to what is there, anchors included', async () => {
    const broken: string[] = []
    for (const address of await twins()) {
      const { body } = await plane.app.inject(address)
      for (const link of linksIn(body)) {
        if (/^https?:/.test(link)) continue
        const [target = '', anchor] = link.split('#')
        // Headings have the same anchors there as on the page.
        const page = (target || address).replace(/\.md$/, '')
        const found = await plane.app.inject(page)
        const isThere = anchor === undefined || found.body.includes(`id="${anchor}"`)
        const isMarkdown = target === '' || target.endsWith('.md') || target.endsWith('.json')
        if (!isThere || !isMarkdown || found.statusCode !== 200) broken.push(`${address}: ${link}`)
      }
    }
    expect(broken).toEqual([])
  })

  test('has the operations of the API with their addresses, and code as it is in the source', async () => {
    const reference = await plane.app.inject('/docs/reference.md')
    expect(reference.body).toMatch(/^## \[Rooms\]\(\/docs\/reference\/rooms\.md\)$/m)
    expect(reference.body).toMatch(/^- `POST \/api\/v1\/rooms`: \w/m)
    const { body } = await plane.app.inject('/docs/participant-tokens.md')
    expect(body).toContain('"external_type": ')
  })
})

describe('/llms.txt', () => {
  test('is a title, a summary and sections of links, as llmstxt.org describes it', async () => {
    const { statusCode, headers, body } = await plane.app.inject('/llms.txt')
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const [title, , summary, ...rest] = body.trim().split('\n')
    expect(title).toBe('# Interview Room Service')
    expect(summary).toMatch(/^> \w.+\.$/)
    for (const line of rest) expect(line).toMatch(/^$|^## \w|^- \[[^\]]+\]\(http\S+\)(: \w.+\.)?$/)
    expect(rest.filter((line) => line.startsWith('## '))).toHaveLength(2)
  })

  test('lists every page as Markdown, and only addresses that exist', async () => {
    const { body } = await plane.app.inject('/llms.txt')
    const { publicUrl } = plane.deps.config
    const listed = linksIn(body).map((link) => link.replace(publicUrl, ''))
    expect(listed).toEqual(expect.arrayContaining(await twins()))
    for (const address of listed)
      expect([address, (await plane.app.inject(address)).statusCode]).toEqual([address, 200])
  })
})
