import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'

const plane = useControlPlane()
const DECODE = { br: brotliDecompressSync, gzip: gunzipSync }

const DESCRIPTION = '/api/v1/openapi.json'

async function get(
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
) {
  return plane.app.inject({ method, url, headers })
}

describe('the files of the documentation', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
  ] as const)('comes compressed to a client that accepts %s', async (accepted, encoding) => {
    for (const url of [DESCRIPTION, '/docs/search.json', '/docs/webhooks', '/llms.txt']) {
      const plain = await get(url)
      const { headers, rawPayload } = await get(url, { 'accept-encoding': accepted })
      expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
      expect(headers['content-length']).toBe(String(rawPayload.length))
      expect(DECODE[encoding](rawPayload).equals(plain.rawPayload), url).toBe(true)
      expect(rawPayload.length, url).toBeLessThan(plain.rawPayload.length / 2)
    }
  })

  test.each([undefined, 'identity', 'deflate', 'gzip;q=0'])(
    'comes as it is to a client that accepts %s',
    async (accepted) => {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
      const answer = await get(DESCRIPTION, headers)
      expect(answer.headers).not.toHaveProperty('content-encoding')
      expect(answer.headers['vary']).toBe('accept-encoding')
      expect(answer.json()).toHaveProperty('openapi')
    },
  )

  test('is kept by clients, which ask whether it is current and get no body if it is', async () => {
    for (const url of [DESCRIPTION, '/docs/reference', '/docs/errors', '/docs/webhooks.md']) {
      const { headers, body } = await get(url, { 'accept-encoding': 'br' })
      expect(headers['cache-control']).toBe('no-cache')
      const etag = String(headers['etag'])
      for (const known of [etag, `"another", ${etag}`, '*']) {
        const answer = await get(url, { 'if-none-match': known, 'accept-encoding': 'br' })
        expect([answer.statusCode, answer.body], url).toEqual([304, ''])
        expect(answer.headers).toMatchObject({ etag, 'cache-control': 'no-cache' })
        expect(answer.headers).not.toHaveProperty('content-length')
      }
      const changed = await get(url, { 'if-none-match': 'W/"another"', 'accept-encoding': 'br' })
      expect([changed.statusCode, changed.body === body]).toEqual([200, true])
    }
  })

  test('answers HEAD with the headers of GET, and without a body', async () => {
    for (const known of [{}, { 'if-none-match': '*' }]) {
      const asked = { 'accept-encoding': 'gzip', ...known }
      const { headers, body, statusCode } = await get(DESCRIPTION, asked, 'HEAD')
      const whole = await get(DESCRIPTION, { 'accept-encoding': 'gzip' })
      expect([statusCode, body]).toEqual(['if-none-match' in known ? 304 : 200, ''])
      for (const name of ['etag', 'content-length', 'content-type', 'cache-control', 'vary'])
        expect(headers[name], name).toBe(whole.headers[name])
    }
  })
})
