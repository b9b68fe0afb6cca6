import { expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'

const plane = useControlPlane()

/** As browsers send it when they open an address. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test.each(['/nonsense', '/rooms', '/docs/nonsense', '/nonsense?a=1'])(
  'a browser that opens %s gets a page, with the status 404',
  async (url) => {
    const { statusCode, headers, body } = await plane.app.inject({ url, headers: BROWSER })
    expect(statusCode).toBe(404)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(body).toContain('<div id="root">')
  },
)

test.each([
  ['/nonsense', 'GET', { accept: 'application/json' }],
  ['/nonsense', 'GET', { accept: '*/*' }],
  ['/nonsense', 'GET', {}],
  ['/nonsense', 'POST', BROWSER],
  ['/api/v1/nonsense', 'GET', BROWSER],
] as const)('%s by %s with %j is answered in the envelope', async (url, method, headers) => {
  const answer = await plane.app.inject({ url, method, headers })
  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } })
})
