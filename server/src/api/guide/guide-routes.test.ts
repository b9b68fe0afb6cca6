import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { liveness } from '../operations/health.ts'

const plane = useControlPlane()

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
    expect(page.body).toContain('href="/docs/reference/"')
    const bare = await plane.app.inject('/docs')
    expect([bare.statusCode, bare.headers.location]).toEqual([301, '/docs/'])
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

  test('has pages with one heading that load nothing and run nothing', async () => {
    for (const address of ['/docs/', ...(await slugs())]) {
      const page = await plane.app.inject(address)
      expect(page.statusCode, address).toBe(200)
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(page.headers['content-security-policy']).toContain("default-src 'none'")
      expect(page.body, address).not.toMatch(/<script|<img|<link|<[^>]+\ssrc\s*=|@import/)
      expect(page.body.match(/<h1/g), address).toHaveLength(1)
      expect(page.body).toContain('<html lang="en">')
    }
  })

  test('links only to what is there, anchors included', async () => {
    const broken: string[] = []
    const seen = new Map<string, { statusCode: number; body: string }>()
    for (const address of await slugs()) {
      const { body } = await plane.app.inject(address)
      for (const [, href = ''] of body.matchAll(/href="([^"]+)"/g)) {
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
