import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ObjectLocation, StorageError } from '../ports/storage.ts'
import { withLocalAddresses } from './local-addresses.ts'

let storage: Server
let location: ObjectLocation
let status = 206
beforeAll(async () => {
  storage = createServer(({ headers }, response) => {
    const reported = {
      'content-range': 'bytes 2-4/10',
      'accept-ranges': 'bytes',
      'x-secret': 'inside',
    }
    response.writeHead(status, reported).end(headers.range ?? 'whole')
  })
  await once(storage.listen(0, '127.0.0.1'), 'listening')
  const { port } = storage.address() as AddressInfo
  location = { kind: 'url', url: `http://localhost:${port}/object?signature=secret` }
})
afterAll(() => void storage.close())

const addressOf = (local: readonly ObjectLocation[]) =>
  local[0]?.kind === 'url' ? local[0].url : ''

describe('a signed address', () => {
  test('is reached by one of this machine that does not show it, in parts, while it is used', async () => {
    let used = ''
    await withLocalAddresses([location], async (local) => {
      used = addressOf(local)
      expect(used).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[-0-9a-f]{36}$/)
      const answer = await fetch(used, { headers: { range: 'bytes=2-4' } })
      expect([answer.status, await answer.text()]).toEqual([206, 'bytes=2-4'])
      expect(answer.headers.get('content-range')).toBe('bytes 2-4/10')
      expect(answer.headers.get('x-secret')).toBeNull()
      expect((await fetch(new URL('/other', used))).status).toBe(404)
    })
    await expect(fetch(used)).rejects.toThrow('fetch failed')
  })

  test('that the storage refuses is a failure of the storage, whatever the program says', async () => {
    status = 503
    const work = withLocalAddresses([location], async (local) => {
      await fetch(addressOf(local)).catch(() => {})
      throw new Error('the program failed')
    })
    await expect(work).rejects.toBeInstanceOf(StorageError)
    status = 206
    const other = withLocalAddresses([location], () => Promise.reject(new Error('of its own')))
    await expect(other).rejects.toThrow('of its own')
  })
})

test('a path stays what it is', async () => {
  const paths = [{ kind: 'path', path: '/somewhere' }] as const
  expect(await withLocalAddresses(paths, async (local) => local)).toBe(paths)
})
