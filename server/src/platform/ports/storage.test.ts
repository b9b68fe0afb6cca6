import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { parse } from 'content-disposition'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../lib/clock.ts'
import { newVideoKey } from '../storage/object-key.ts'
import { SETTINGS, type Setting } from '../storage/testing/settings.ts'
import {
  type EgressOutput,
  type ListedObject,
  type ObjectLocation,
  type Storage,
  StorageError,
} from './storage.ts'

const TENANT = randomUUID()
const MIB = 1024 * 1024
const GET = {
  expiresInSec: 60,
  fileName: 'notes.txt',
  disposition: 'attachment',
  mime: 'text/plain',
} as const
const PUT = { expiresInSec: 60, maxBytes: 1000 }

/** The fifth to the seventh byte. */
async function bytesAt(place: ObjectLocation): Promise<string> {
  if (place.kind === 'path') return (await readFile(place.path, 'utf8')).slice(4, 7)
  const answer = await fetch(place.url, { headers: { range: 'bytes=4-6' } })
  expect(answer.status).toBe(206)
  return answer.text()
}

/** Writes as an egress would, which knows nothing but this output. */
async function writeAsEgress(output: EgressOutput, content: string): Promise<void> {
  if (output.kind === 'file') return writeFile(output.path, content)
  const { bucket, key, accessKeyId, secretAccessKey, region, forcePathStyle } = output
  const s3 = new S3Client({
    region,
    forcePathStyle,
    endpoint: output.endpoint ?? '',
    credentials: { accessKeyId, secretAccessKey },
  })
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: content }))
}

async function listAll(storage: Storage): Promise<ListedObject[]> {
  const all: ListedObject[] = []
  for (let after: string | undefined = ''; after !== undefined;) {
    const { objects, next } = await storage.list(after === '' ? undefined : after)
    all.push(...objects)
    after = next
  }
  return all
}

describe.each(SETTINGS)('%s', (name, start) => {
  /** Status for an unsigned request: S3 answers that it is forbidden; the folder answers as for a missing file. */
  const refused = name === 'the folder' ? 404 : 403
  let setting: Setting
  let storage: Storage
  const made: string[] = []

  beforeAll(async () => {
    setting = await start()
    storage = setting.open(systemClock)
  })
  afterAll(async () => {
    await storage?.delete(made)
    await setting?.close()
  })

  function newKey(): string {
    const key = `${TENANT}/tests/${randomUUID()}`
    made.push(key)
    return key
  }

  function newVideo(): string {
    const key = newVideoKey(TENANT, 'tests')
    made.push(key)
    return key
  }

  async function stored(content: Buffer | string, key = newKey()): Promise<string> {
    await storage.put(key, Readable.from([Buffer.from(content)]), { mime: 'text/plain' })
    return key
  }

  async function contentOf(key: string): Promise<string> {
    return (await buffer(await storage.read(key))).toString()
  }

  async function ask(signed: { url: string }, init: RequestInit = {}): Promise<Response> {
    return fetch(setting.reach(signed.url), init)
  }

  describe('objects', () => {
    test('are read as they were put, and have a size and an etag', async () => {
      const key = await stored('hello')
      expect(await contentOf(key)).toBe('hello')
      expect(await storage.head(key)).toEqual({ sizeBytes: 5, etag: expect.stringMatching(/./) })
    })

    test('stores an upload of many parts completely, and counts its size', async () => {
      const chunks = Array.from({ length: 12 }, () => randomBytes(MIB + 1))
      const key = newKey()
      const put = await storage.put(key, Readable.from(chunks), { mime: 'video/mp4' })
      expect(put).toEqual({ sizeBytes: 12 * (MIB + 1) })
      const read = await buffer(await storage.read(key))
      expect(read.equals(Buffer.concat(chunks))).toBe(true)
    })

    test('may be empty', async () => {
      const key = newKey()
      const put = await storage.put(key, Readable.from([]), { mime: 'text/plain' })
      expect(put).toEqual({ sizeBytes: 0 })
      expect(await storage.head(key)).toMatchObject({ sizeBytes: 0 })
      expect(await contentOf(key)).toBe('')
    })

    test('are replaced by another put, which changes the etag', async () => {
      const key = await stored('first')
      const before = await storage.head(key)
      await stored('other', key)
      expect(await contentOf(key)).toBe('other')
      expect((await storage.head(key))?.etag).not.toBe(before?.etag)
    })

    test('that do not exist have no head, and cannot be read', async () => {
      expect(await storage.head(newKey())).toBeUndefined()
      await expect(storage.read(newKey())).rejects.toThrow(StorageError)
    })

    test.each([
      ['immediately', 0],
      ['in the middle of the first part', 1],
      ['after the first part', 7],
    ])('are not made of a stream that breaks %s', async (_when, chunks) => {
      const key = newKey()
      async function* broken() {
        for (let chunk = 0; chunk < chunks; chunk += 1) yield randomBytes(MIB)
        throw new Error('the sender went away')
      }
      const put = storage.put(key, Readable.from(broken()), { mime: 'video/mp4' })
      await expect(put).rejects.toThrow('the sender went away')
      expect(await storage.head(key)).toBeUndefined()
    })

    test('stay when the stream that replaces them breaks', async () => {
      const key = await stored('kept')
      const broken = new Readable({ read: () => {} })
      broken.push('half')
      const put = storage.put(key, broken, { mime: 'text/plain' })
      broken.destroy(new Error('the sender went away'))
      await expect(put).rejects.toThrow('the sender went away')
      expect(await contentOf(key)).toBe('kept')
    })
  })

  describe('copying', () => {
    test('takes over the content with this etag, whatever is put over the source later', async () => {
      const [from, to] = [await stored('as uploaded'), newKey()]
      const source = await storage.head(from)
      expect(
        await storage.copy(from, to, { sizeBytes: 1, etag: source?.etag ?? '' }),
      ).toMatchObject({
        sizeBytes: 11,
      })
      await stored('swapped', from)
      expect(await contentOf(to)).toBe('as uploaded')
    })

    test('may be done again', async () => {
      const [from, to] = [await stored('twice'), newKey()]
      const etag = (await storage.head(from))?.etag ?? ''
      const first = await storage.copy(from, to, { sizeBytes: 1, etag })
      expect(await storage.copy(from, to, { sizeBytes: 1, etag })).toEqual(first)
      expect(await storage.head(to)).toEqual(first)
    })

    test('does nothing with another content', async () => {
      const [from, to] = [await stored('seen'), newKey()]
      const etag = (await storage.head(from))?.etag ?? ''
      await stored('other', from)
      expect(await storage.copy(from, to, { sizeBytes: 1, etag })).toBeUndefined()
      expect(await storage.head(to)).toBeUndefined()
    })

    test('does nothing with a missing object', async () => {
      const from = await stored('gone')
      const etag = (await storage.head(from))?.etag ?? ''
      await storage.delete([from])
      expect(await storage.copy(from, newKey(), { sizeBytes: 1, etag })).toBeUndefined()
    })
  })

  describe('deleting', () => {
    test('takes more keys than one request holds, including missing ones', async () => {
      const keys = [await stored('a'), await stored('b')]
      const gone = Array.from({ length: 1_000 }, newKey)
      await storage.delete([keys[0] ?? '', ...gone, keys[1] ?? ''])
      for (const key of keys) expect(await storage.head(key)).toBeUndefined()
      await storage.delete(keys)
    })

    test('of no keys is done', async () => {
      await expect(storage.delete([])).resolves.toBeUndefined()
    })
  })

  describe('a location for programs of this machine', () => {
    test('lets an object be read, also from its middle', async () => {
      const key = await stored('0123456789', newVideo())
      const place = await storage.locate(key, { forSec: 60 })
      expect(await bytesAt(place)).toBe('456')
    })

    test('of an egress is one from which its object is taken over', async () => {
      const key = newVideo()
      await writeAsEgress(await storage.egressOutput(key), 'recorded')
      expect(await contentOf(key)).toBe('recorded')
    })
  })

  describe('the list', () => {
    test('names every object that was there all along, once, with its time', async () => {
      const before = Date.now()
      const keys = [newVideo(), newKey(), newVideo(), newKey(), newVideo()]
      for (const key of keys) await stored('x', key)
      const listed = await listAll(storage)
      const times = new Map(listed.map(({ key, storedAt }) => [key, storedAt.getTime()]))
      expect(times.size).toBe(listed.length)
      for (const key of keys) {
        expect(times.get(key), key).toBeGreaterThan(before - 2_000)
        expect(times.get(key), key).toBeLessThan(Date.now() + 2_000)
      }
    })

    test('has the objects whose key begins with a name, in order, with sizes', async () => {
      const key = newKey()
      await stored('x', key)
      for (const [suffix, text] of [
        ['.000002', 'bb'],
        ['.000010', 'c'],
        ['.000001', 'aaa'],
      ]) {
        await stored(text ?? '', `${key}${suffix}`)
      }
      expect(await storage.listWithPrefix(`${key}.`)).toEqual([
        { key: `${key}.000001`, sizeBytes: 3 },
        { key: `${key}.000002`, sizeBytes: 2 },
        { key: `${key}.000010`, sizeBytes: 1 },
      ])
      expect(await storage.listWithPrefix(`${newKey()}.`)).toEqual([])
    })

    test('continues after an object that was deleted meanwhile', async () => {
      const keys = await Promise.all(Array.from({ length: 3 }, () => stored('x')))
      const last = keys.toSorted().at(-1) ?? ''
      await storage.delete([last])
      const after = await storage.list(last)
      expect(after.objects.filter(({ key }) => keys.includes(key))).toEqual([])
    })
  })

  describe('an address for reading', () => {
    test('serves the file with its type and name until the published time', async () => {
      const before = Date.now()
      const signed = await storage.signGet(await stored('hello'), GET)
      const answer = await ask(signed)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toBe('hello')
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
      expect(answer.headers.get('content-length')).toBe('5')
      expect(answer.headers.get('accept-ranges')).toBe('bytes')
      const leftMs = signed.expiresAt.getTime() - before
      expect(leftMs).toBeGreaterThan(58_000)
      expect(leftMs).toBeLessThanOrEqual(Date.now() - before + 60_000)
    })

    test.each([
      ['plain', 'report.pdf'],
      ['with spaces and quotes', 'a "final" \\ report (1).pdf'],
      ['Japanese', '履歴書（最終版）.pdf'],
      ['of Latin letters', "Crème brûlée's.pdf"],
      ['of many planes', '🎥 録画 %41+&=#?/;.mp4'],
      ['with line breaks', 'a\r\nset-cookie: b.txt'],
    ])('names a file %s', async (_kind, fileName) => {
      const key = await stored('x')
      const answer = await ask(await storage.signGet(key, { ...GET, fileName }))
      expect(answer.status).toBe(200)
      const { type, parameters } = parse(answer.headers.get('content-disposition') ?? '')
      expect(type).toBe('attachment')
      expect(parameters['filename']).toBe(fileName)
    })

    test('shows a file inline when it was signed for that', async () => {
      const key = await stored('x')
      const options = { ...GET, disposition: 'inline', mime: 'image/png' } as const
      const answer = await ask(await storage.signGet(key, options))
      expect(answer.headers.get('content-disposition')).toBe('inline; filename=notes.txt')
      expect(answer.headers.get('content-type')).toBe('image/png')
    })

    test('answers ranges with 206, and those outside the file with 416', async () => {
      const signed = await storage.signGet(await stored('0123456789'), GET)
      const part = await ask(signed, { headers: { range: 'bytes=2-4' } })
      expect(part.status).toBe(206)
      expect(part.headers.get('content-range')).toBe('bytes 2-4/10')
      expect(await part.text()).toBe('234')
      expect(await (await ask(signed, { headers: { range: 'bytes=8-' } })).text()).toBe('89')
      expect((await ask(signed, { headers: { range: 'bytes=10-' } })).status).toBe(416)
    })

    test('answers the last bytes with 206, and several ranges in one request with the complete file', async () => {
      const signed = await storage.signGet(await stored('0123456789'), GET)
      const last = await ask(signed, { headers: { range: 'bytes=-3' } })
      expect([last.status, await last.text()]).toEqual([206, '789'])
      expect(last.headers.get('content-range')).toBe('bytes 7-9/10')
      const more = await ask(signed, { headers: { range: 'bytes=-99' } })
      expect([more.ok, await more.text()]).toEqual([true, '0123456789'])
      const several = await ask(signed, { headers: { range: 'bytes=0-1,4-5' } })
      expect([several.status, await several.text()]).toEqual([200, '0123456789'])
    })

    test('answers 304 to a client that already has the content', async () => {
      const signed = await storage.signGet(await stored('hello'), GET)
      const etag = (await ask(signed)).headers.get('etag') ?? ''
      // Without the second one, fetch asks for a fresh answer automatically.
      const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' }
      const again = await ask(signed, { headers })
      expect(again.status).toBe(304)
      expect(await again.text()).toBe('')
    })

    test('answers 404 without an object', async () => {
      expect((await ask(await storage.signGet(newKey(), GET))).status).toBe(404)
    })

    test('answers as to a forgery when it has expired', async () => {
      const hourAgo = setting.open(() => new Date(Date.now() - 3_600_000))
      const key = await stored('x')
      expect((await ask(await hourAgo.signGet(key, GET))).status).toBe(refused)
      expect((await ask(await hourAgo.signGet(key, { ...GET, expiresInSec: 7200 }))).status).toBe(
        200,
      )
    })

    test('answers as to a forgery to another method', async () => {
      const key = await stored('x')
      const signed = await storage.signGet(key, GET)
      expect((await ask(signed, { method: 'PUT', body: 'y' })).status).toBe(refused)
      expect(await contentOf(key)).toBe('x')
    })

    test('is refused for another object, with other words, or without the signature', async () => {
      const [key, other] = [await stored('x'), await stored('y')]
      const { url } = await storage.signGet(key, GET)
      for (const [word, value] of new URL(url).searchParams) {
        const altered = new URL(url)
        altered.searchParams.set(word, word === 'expires' ? `${value}0` : `${value}A`)
        const { status } = await ask({ url: altered.href })
        expect([400, refused], word).toContain(status)
      }
      const cut = new URL(url)
      cut.search = [...cut.searchParams]
        .filter(([name]) => !/signature$/i.test(name))
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&')
      expect((await ask({ url: url.replace(key, other) })).status).toBe(refused)
      expect([400, refused]).toContain((await ask({ url: cut.href })).status)
    })
  })

  describe('an address for one PUT', () => {
    test('stores the body, and may be used again until it expires', async () => {
      const key = newKey()
      const signed = await storage.signPut(key, PUT)
      expect((await ask(signed, { method: 'PUT', body: 'first' })).status).toBe(200)
      expect(await contentOf(key)).toBe('first')
      const head = await storage.head(key)
      expect((await ask(signed, { method: 'PUT', body: 'again' })).status).toBe(200)
      expect(await contentOf(key)).toBe('again')
      expect((await storage.head(key))?.etag).not.toBe(head?.etag)
    })

    test('takes a body of any type', async () => {
      const key = newKey()
      const headers = { 'content-type': 'application/json' }
      const answer = await ask(await storage.signPut(key, PUT), {
        method: 'PUT',
        body: '{"not": "json"',
        headers,
      })
      expect(answer.status).toBe(200)
      expect(await contentOf(key)).toBe('{"not": "json"')
    })

    test('answers as to a forgery to reading, for another object, and when it has expired', async () => {
      const [key, other] = [await stored('kept'), await stored('kept')]
      const hourAgo = setting.open(() => new Date(Date.now() - 3_600_000))
      const signed = await storage.signPut(key, PUT)
      const replace = { method: 'PUT', body: 'swapped' }
      expect((await ask(signed)).status).toBe(refused)
      expect((await ask({ url: signed.url.replace(key, other) }, replace)).status).toBe(refused)
      expect((await ask(await hourAgo.signPut(key, PUT), replace)).status).toBe(refused)
      expect([await contentOf(key), await contentOf(other)]).toEqual(['kept', 'kept'])
    })
  })

  test('keys that are not ours are refused everywhere', async () => {
    const etag = 'any'
    for (const key of [
      '',
      'incoming/x',
      `${TENANT}/tests/../x`,
      `../${TENANT}/tests/${TENANT}`,
      `${TENANT}/tests/${TENANT}/x`,
      `${TENANT}/tests/${TENANT}?x=1`,
      `/${TENANT}/tests/${TENANT}`,
      `${TENANT}/Tests/${TENANT}`,
      `${TENANT}/tests/${TENANT}\n`,
    ]) {
      await expect(storage.put(key, Readable.from(['x']), { mime: 'x/y' })).rejects.toThrow(
        RangeError,
      )
      await expect(storage.read(key)).rejects.toThrow(RangeError)
      await expect(storage.head(key)).rejects.toThrow(RangeError)
      await expect(storage.copy(key, newKey(), { sizeBytes: 1, etag })).rejects.toThrow(RangeError)
      await expect(storage.copy(newKey(), key, { sizeBytes: 1, etag })).rejects.toThrow(RangeError)
      await expect(storage.delete([key])).rejects.toThrow(RangeError)
      await expect(storage.signGet(key, GET)).rejects.toThrow(RangeError)
      await expect(storage.signPut(key, PUT)).rejects.toThrow(RangeError)
      await expect(storage.locate(key, { forSec: 60 })).rejects.toThrow(RangeError)
      await expect(storage.egressOutput(key)).rejects.toThrow(RangeError)
    }
  })

  test.each([0, -1, 1.5, Number.NaN])('an address is not signed for %s s', async (expiresInSec) => {
    await expect(storage.signGet(newKey(), { ...GET, expiresInSec })).rejects.toThrow(RangeError)
    await expect(storage.signPut(newKey(), { ...PUT, expiresInSec })).rejects.toThrow(RangeError)
  })

  test('says that objects can be stored', async () => {
    await expect(storage.check()).resolves.toBeUndefined()
  })
})
