import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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

const read = async (local: readonly ObjectLocation[], range?: string) =>
  (await fetch(addressOf(local), { headers: range ? { range } : {} })).text()

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

describe('a connection to the storage that ends early', () => {
  const content = Array.from({ length: 100 }, (_, index) => `${index} `).join('')
  const asked: string[] = []
  let sentMax = 0
  let flaky: Server
  let place: ObjectLocation
  beforeAll(async () => {
    flaky = createServer(({ headers: { range } }, response) => {
      asked.push(range ?? 'all')
      const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
      const [from, to] = [Number(first ?? 0), Number(last || content.length - 1)]
      const part = content.slice(from, to + 1)
      const place = range && { 'content-range': `bytes ${from}-${to}/${content.length}` }
      response.writeHead(range ? 206 : 200, { 'content-length': part.length, ...place })
      if (part.length <= sentMax) response.end(part)
      else response.write(part.slice(0, sentMax), () => response.destroy())
    })
    await once(flaky.listen(0, '127.0.0.1'), 'listening')
    const { port } = flaky.address() as AddressInfo
    place = { kind: 'url', url: `http://127.0.0.1:${port}/object` }
  })
  afterAll(() => void flaky.close())
  beforeEach(() => void asked.splice(0))

  test('is continued after the received bytes', async () => {
    sentMax = 200
    expect(await withLocalAddresses([place], (local) => read(local))).toBe(content)
    expect(asked).toEqual(['all', 'bytes=200-289'])
    const part = await withLocalAddresses([place], (local) => read(local, 'bytes=30-'))
    expect(part).toBe(content.slice(30))
    expect(asked.slice(2)).toEqual(['bytes=30-', 'bytes=230-289'])
  })

  test('that breaks off is a failure of the storage, even if the program takes it for the end of the file', async () => {
    sentMax = 0
    const work = withLocalAddresses([place], async (local) => {
      await read(local).catch(() => {})
      return 'a file that is too short'
    })
    await expect(work).rejects.toBeInstanceOf(StorageError)
    expect(asked).toHaveLength(3)
  })
})

test('a path stays unchanged', async () => {
  const paths = [{ kind: 'path', path: '/somewhere' }] as const
  expect(await withLocalAddresses(paths, async (local) => local)).toBe(paths)
})
