import { afterEach, expect, test, vi } from 'vitest'
import { createConsoleApi } from './console-api.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Records the requested addresses. */
function recordRequests(): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    return Response.json({ success: true, data: {} })
  })
  return asked
}

test('sends the query in a browser that does not count parameters', async () => {
  // Chrome before 113 and Safari before 17.
  vi.spyOn(URLSearchParams.prototype, 'size', 'get').mockReturnValue(undefined as never)
  const asked = recordRequests()
  const api = createConsoleApi('key', () => undefined)
  await api<'listTokenKeys'>('GET', '/token-keys', { query: { limit: 5 } })
  await api<'listTokenKeys'>('GET', '/token-keys', { query: {} })
  expect(asked).toEqual(['/api/v1/token-keys?limit=5', '/api/v1/token-keys'])
})
