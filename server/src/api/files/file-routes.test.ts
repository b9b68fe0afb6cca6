import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/lib/clock.ts'
import { ownedName } from '../../platform/lib/owned-name.ts'
import { type Storage, StorageError } from '../../platform/ports/storage.ts'
import { createFileAddresses } from '../../platform/storage/file-addresses.ts'
import { createFolderStorage } from '../../platform/storage/folder/folder-storage.ts'
import { type FolderSetting, startFolder } from '../../platform/storage/testing/settings.ts'
import { waitFor } from '../../testing/wait-for.ts'

const MIB = 1024 * 1024
const GET = {
  expiresInSec: 60,
  fileName: 'talk.mp4',
  disposition: 'attachment',
  mime: 'video/mp4',
} as const

let setting: FolderSetting
let storage: Storage
beforeAll(async () => {
  setting = await startFolder()
  storage = setting.open(systemClock)
})
afterAll(() => setting?.close())

const newKey = () => `${randomUUID()}/recordings/${randomUUID()}`

async function stored(content: string): Promise<string> {
  const key = newKey()
  await storage.put(key, Readable.from([content]), { mime: 'video/mp4' })
  return key
}

async function readable(content: string): Promise<string> {
  const { url } = await storage.signGet(await stored(content), GET)
  return setting.reach(url)
}

async function writable(maxBytes: number): Promise<{ key: string; url: string }> {
  const key = newKey()
  const { url } = await storage.signPut(key, { expiresInSec: 60, maxBytes })
  return { key, url: setting.reach(url) }
}

/** A storage in another folder. */
function another(folder: string): Storage {
  const addresses = createFileAddresses({
    publicUrl: setting.origin,
    secretsKey: Buffer.alloc(32),
    clock: systemClock,
  })
  return createFolderStorage(folder, addresses)
}

async function pidOfNobody(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

/** The files of uploads that are under way. */
const incoming = () => readdir(path.join(setting.folder, 'incoming')).catch(() => [])

describe('a file', () => {
  test('can do nothing to the origin that it comes from, and is kept by no cache', async () => {
    const { headers } = await fetch(await readable('x'))
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-type')).toBe('video/mp4')
  })

  test('has a head without a body, by the same address', async () => {
    const answer = await fetch(await readable('0123456789'), { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe('10')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=talk.mp4')
    expect(await answer.text()).toBe('')
  })

  test.each([
    ['bytes=-3', { status: 206, content: '789', published: 'bytes 7-9/10' }],
    ['bytes=4-', { status: 206, content: '456789', published: 'bytes 4-9/10' }],
    ['bytes=0-99', { status: 206, content: '0123456789', published: 'bytes 0-9/10' }],
    ['lines=1-2', { status: 200, content: '0123456789', published: null }],
    ['bytes=0-1,4-5', { status: 200, content: '0123456789', published: null }],
  ])('asked for %s answers %o', async (range, wanted) => {
    const answer = await fetch(await readable('0123456789'), { headers: { range } })
    const { status, headers } = answer
    const published = headers.get('content-range')
    expect({ status, content: await answer.text(), published }).toEqual(wanted)
  })

  test.each(['bytes=2-4', 'bytes=10-', 'bytes=-3'])(
    'has a head of the complete file, also where %s is asked for',
    async (range) => {
      const url = await readable('0123456789')
      const answer = await fetch(url, { method: 'HEAD', headers: { range } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-length')).toBe('10')
      expect(answer.headers.get('content-range')).toBeNull()
    },
  )

  test('returns the size of the file for a range outside of it', async () => {
    const answer = await fetch(await readable('0123456789'), { headers: { range: 'bytes=10-' } })
    expect(answer.status).toBe(416)
    expect(answer.headers.get('content-range')).toBe('bytes */10')
    expect(await answer.json()).toMatchObject({ error: { code: 'RANGE_NOT_SATISFIABLE' } })
  })

  test('returns the complete file when it has changed since the first range', async () => {
    const url = await readable('0123456789')
    const etag = (await fetch(url)).headers.get('etag') ?? ''
    const ask = (tag: string) => fetch(url, { headers: { range: 'bytes=2-4', 'if-range': tag } })
    expect((await ask(etag)).status).toBe(206)
    expect((await ask('"another"')).status).toBe(200)
    const ifMatch = await fetch(url, { headers: { 'if-match': '"another"' } })
    expect(ifMatch.status).toBe(412)
  })

  test('is there however the address was spelled on its way', async () => {
    const options = { ...GET, fileName: 'a (b) ü.mp4' }
    const { url } = await storage.signGet(await stored('x'), options)
    const respelled = setting.reach(url).replaceAll('+', '%20').replaceAll('%28', '(')
    expect((await fetch(respelled)).status).toBe(200)
  })
})

/** The preflight request of a browser before a page of another origin uploads. */
const PREFLIGHT = {
  method: 'OPTIONS',
  headers: {
    origin: 'https://tenant.test',
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'content-type',
  },
}

describe('a page of another origin', () => {
  test('reads the file, its range and its name', async () => {
    const answer = await fetch(await readable('0123456789'), { headers: { range: 'bytes=0-1' } })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    const exposed = answer.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining(['content-disposition', 'content-range', 'etag']),
    )
  })

  test('puts a file', async () => {
    const { key, url } = await writable(10)
    const asked = await fetch(url, PREFLIGHT)
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe('*')
    expect(asked.headers.get('access-control-allow-methods')).toBe('GET, HEAD, PUT')
    expect(asked.headers.get('access-control-allow-headers')).toBe('*')
    const put = await fetch(url, { method: 'PUT', body: 'new' })
    expect([put.status, put.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(await storage.head(key)).toMatchObject({ sizeBytes: 3 })
  })

  test('reads why it is refused', async () => {
    const refused = await fetch(`${await readable('x')}x`)
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([404, '*'])
  })
})

describe('an address', () => {
  test.each([
    ['without a query', (url: string) => url.replace(/\?.*/, '')],
    ['with a signature cut short', (url: string) => url.slice(0, -1)],
    ['with an empty signature', (url: string) => url.replace(/signature=.*/, 'signature=')],
    ['with two signatures', (url: string) => url.replace(/(signature=.*)/, '$1&$1')],
    ['with one word more', (url: string) => `${url}&download=1`],
    ['with another name', (url: string) => url.replace('talk.mp4', 'evil.exe')],
    ['with another type', (url: string) => url.replace('video%2Fmp4', 'text%2Fhtml')],
    ['with a later end', (url: string) => url.replace(/expires=/, 'expires=9')],
  ])('%s answers 404', async (_name, alter) => {
    const answer = await fetch(alter(await readable('x')))
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await answer.json()).toEqual({
      success: false,
      error: { code: 'NOT_FOUND', message: 'There is no such resource.' },
    })
  })

  test('signed with another secret answers 404', async () => {
    const forger = createFileAddresses({
      publicUrl: setting.origin,
      secretsKey: randomBytes(32),
      clock: systemClock,
    })
    expect((await fetch(forger.signGet(await stored('x'), GET).url)).status).toBe(404)
  })

  test('answers 405 to a method that files do not have', async () => {
    const answer = await fetch(await readable('x'), { method: 'DELETE' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD, PUT, OPTIONS')
  })

  test.each(['/files/../secrets.json', '/files/%2e%2e/%2e%2e/secrets.json', '/files/a/b'])(
    'that leads elsewhere (%s) leads nowhere',
    async (address) => {
      const { hostname, port } = new URL(setting.origin)
      const status = await new Promise((resolve, reject) => {
        httpRequest({ hostname, port, path: address }, (answer) => resolve(answer.statusCode))
          .on('error', reject)
          .end()
      })
      expect(status).toBe(404)
    },
  )
})

describe('an upload', () => {
  test('above the size that bodies of the API have is stored as it is', async () => {
    const { key, url } = await writable(5 * MIB)
    const body = randomBytes(5 * MIB)
    expect((await fetch(url, { method: 'PUT', body })).status).toBe(200)
    expect(await storage.head(key)).toMatchObject({ sizeBytes: 5 * MIB })
  })

  test.each(['multipart/form-data; boundary=x', 'application/json', 'text/plain'])(
    'said to be %s is stored as it is',
    async (type) => {
      const { key, url } = await writable(100)
      const headers = { 'content-type': type }
      expect((await fetch(url, { method: 'PUT', body: '{"a', headers })).status).toBe(200)
      expect(await storage.head(key)).toMatchObject({ sizeBytes: 3 })
    },
  )

  test('without a body is an empty file', async () => {
    const { key, url } = await writable(10)
    expect((await fetch(url, { method: 'PUT' })).status).toBe(200)
    expect(await storage.head(key)).toMatchObject({ sizeBytes: 0 })
  })

  test('that says it is too large answers 413 and stores nothing', async () => {
    const { key, url } = await writable(1000)
    const answer = await fetch(url, { method: 'PUT', body: Buffer.alloc(1001) })
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ error: { code: 'FILE_TOO_LARGE' } })
    expect(await storage.head(key)).toBeUndefined()
  })

  test('that turns out to be too large answers 413 and leaves nothing', async () => {
    const { key, url } = await writable(2 * MIB)
    async function* chunks() {
      for (let chunk = 0; chunk < 4; chunk += 1) yield Buffer.alloc(MIB)
    }
    const answer = await fetch(url, { method: 'PUT', body: chunks(), duplex: 'half' })
    expect(answer.status).toBe(413)
    expect(await storage.head(key)).toBeUndefined()
    expect(await incoming()).toEqual([])
  })

  test('that breaks off leaves nothing', async () => {
    const { key, url } = await writable(MIB)
    const { hostname, port, pathname, search } = new URL(url)
    const upload = httpRequest({
      hostname,
      port,
      path: pathname + search,
      method: 'PUT',
      headers: { 'content-length': MIB },
    })
    upload.on('error', () => {})
    upload.write(Buffer.alloc(1000))
    await waitFor(async () => (await incoming()).length === 1)
    upload.destroy()
    await waitFor(async () => (await incoming()).length === 0)
    expect(await storage.head(key)).toBeUndefined()
  })
})

describe('the folder', () => {
  test('is not readable by other users of the machine', async () => {
    const key = await stored('x')
    expect((await stat(path.join(setting.folder, key))).mode & 0o777).toBe(0o600)
    expect((await stat(path.dirname(path.join(setting.folder, key)))).mode & 0o777).toBe(0o700)
  })

  test('loses the rest of an upload whose process died, a day later', async () => {
    const folder = path.join(setting.folder, 'another')
    const place = path.join(folder, 'incoming')
    await mkdir(place, { recursive: true })
    await writeFile(path.join(place, 'old'), 'x')
    await writeFile(path.join(place, 'new'), 'x')
    const longAgo = new Date(Date.now() - 25 * 3_600_000)
    await utimes(path.join(place, 'old'), longAgo, longAgo)
    await another(folder).put(newKey(), Readable.from(['x']), { mime: 'x/y' })
    expect(await readdir(place)).toEqual(['new'])
  })

  test('removes the files of a dead process immediately', async () => {
    const folder = path.join(setting.folder, 'after-a-crash')
    const place = path.join(folder, 'incoming')
    await mkdir(place, { recursive: true })
    const ours = ownedName()
    const dead = ours.replace(`.${process.pid}.`, `.${await pidOfNobody()}.`)
    const earlierLife = ours.replace(/\.[0-9a-f]{8}\./, '.00000000.')
    const elsewhere = dead.replace(/^[0-9a-f]{12}/, '000000000000')
    for (const name of [ours, dead, earlierLife, elsewhere]) {
      await writeFile(path.join(place, name), 'x')
    }
    await another(folder).put(newKey(), Readable.from(['x']), { mime: 'x/y' })
    expect((await readdir(place)).toSorted()).toEqual([ours, elsewhere].toSorted())
  })

  test('throws a StorageError without its path when it is not a folder', async () => {
    const file = path.join(setting.folder, 'file')
    await writeFile(file, 'x')
    const broken = another(file)
    for (const call of [
      () => broken.put(newKey(), Readable.from(['x']), { mime: 'x/y' }),
      () => broken.read(newKey()),
      () => broken.head(newKey()),
      () => broken.copy(newKey(), newKey(), { sizeBytes: 1, etag: 'x' }),
      () => broken.delete([newKey()]),
      () => broken.check(),
    ]) {
      const failure = await call().then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(failure).toBeInstanceOf(StorageError)
      expect(String(failure)).toMatch(/^StorageError: folder storage: \w+ failed: E[A-Z]+$/)
    }
  })
})
