import { DETAIL_CODES, ERRORS } from '@interview-room/contract/errors.ts'
import { expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'

const plane = useControlPlane()

test('GET /docs/errors is a page without a credential, and loads nothing from outside', async () => {
  const page = await plane.app.inject('/docs/errors')
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/https?:|unsafe/)
  expect(page.body).toContain('<html lang="en">')
  expect(page.body).toContain('name="viewport"')
})

test('GET /docs/errors has a section for every code, with its status and its message', async () => {
  const { body } = await plane.app.inject('/docs/errors')
  const sections = body.split('<h2 id=')
  for (const [code, { status, message }] of Object.entries(ERRORS)) {
    const own = sections.find((section) => section.startsWith(`"${code}">${code}</h2>`)) ?? ''
    expect(own, code).toContain(`<p>Status ${status}. `)
    const words = message.replaceAll("'", '&#39;').replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    expect(own, code).toContain(`<p>${words}</p>`)
    expect(own, code).toMatch(/>Likely causes<\/h3>\s*<ul>\s*<li>/)
    expect(own, code).toMatch(/>What to do<\/h3>\s*<p>\S/)
    expect(body, code).toContain(`${status} <a href="#${code}">${code}</a>`)
  }
  for (const code of DETAIL_CODES) expect(body).toContain(`<li><code>${code}</code>: `)
})

test('the API description links every refusal to its section', async () => {
  const description = await plane.app.inject('/api/v1/openapi.json')
  const links = [...description.body.matchAll(/\[`(\w+)`\]\(([^)#]+)#(\w+)\)/g)]
  expect(new Set(links.map(([, code]) => code)).size).toBeGreaterThan(25)
  for (const [, code, page, anchor] of links) {
    expect([anchor, page]).toEqual([code, `${plane.deps.config.publicUrl}/docs/errors`])
  }
})
