import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPromise } from 'yauzl'
import { type ZippedFile, zipFiles } from './zip-files.ts'

const GIB = 1024 ** 3
const MADE_AT = new Date('2026-06-01T10:00:00Z')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-zip-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const zip = (files: readonly ZippedFile[], manifest: object = {}) =>
  zipFiles({ files, manifest, madeAt: MADE_AT })

function fileOf(name: string, content: Buffer): ZippedFile {
  return { name, sizeBytes: content.length, open: async () => Readable.from([content]) }
}

/** This many zeros, made while they are read. */
function zeros(sizeBytes: number): Readable {
  const chunk = Buffer.alloc(1024 * 1024)
  return Readable.from(
    (function* chunks() {
      for (let left = sizeBytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left)
    })(),
  )
}

async function readZip(file: string) {
  const archive = await openPromise(file, { autoClose: false })
  const entries = []
  for await (const entry of archive.eachEntry()) entries.push(entry)
  return { archive, entries }
}

describe('a ZIP of files', () => {
  test('holds the manifest and every file as it is, not compressed', async () => {
    const contents = [randomBytes(100_000), Buffer.alloc(0), Buffer.from('x')]
    const names = ['moderator.mp4', '参加者 2.mp4', 'deep/inside.webm']
    const files = names.map((name, index) => fileOf(name, contents[index] ?? Buffer.alloc(0)))
    const target = path.join(folder, 'small.zip')
    await pipeline(zip(files, { participants: names }), createWriteStream(target))

    const { archive, entries } = await readZip(target)
    expect(entries.map(({ fileName }) => fileName)).toEqual(['manifest.json', ...names])
    expect(entries.every(({ compressionMethod }) => compressionMethod === 0)).toBe(true)
    const read: Buffer[] = []
    for (const entry of entries) read.push(await buffer(await archive.openReadStreamPromise(entry)))
    expect(JSON.parse(String(read[0]))).toEqual({ participants: names })
    expect(read.slice(1)).toEqual(contents)
    archive.close()
  })

  // Too much for every run: LARGE_FILES=1.
  test.skipIf(!process.env['LARGE_FILES'])(
    'of more than 4 GiB is read as well: its places need 64 bits',
    async () => {
      const sizes = [4 * GIB + 5, 10]
      const files = sizes.map((sizeBytes, index) => ({
        name: `${index}.mp4`,
        sizeBytes,
        open: async () => zeros(sizeBytes),
      }))
      const target = path.join(folder, 'large.zip')
      await pipeline(zip(files), createWriteStream(target))
      const { archive, entries } = await readZip(target)
      expect(entries.slice(1).map(({ uncompressedSize }) => uncompressedSize)).toEqual(sizes)
      const last = entries.at(-1)
      if (last === undefined) throw new Error('no entry')
      expect(await buffer(await archive.openReadStreamPromise(last))).toEqual(Buffer.alloc(10))
      archive.close()
      await rm(target)
    },
    120_000,
  )

  test('opens one file at a time, when its turn comes', async () => {
    let openCount = 0
    const files = Array.from({ length: 5 }, (_, index) => ({
      name: `${index}`,
      sizeBytes: 3,
      async open() {
        openCount += 1
        expect(openCount).toBe(1)
        const file = Readable.from([Buffer.from('abc')])
        file.on('end', () => (openCount -= 1))
        return file
      },
    }))
    expect((await buffer(zip(files))).length).toBeGreaterThan(15)
  })

  test('breaks when a file breaks, cannot be opened, or has another size than declared', async () => {
    const broken = new PassThrough()
    broken.write('ab')
    broken.destroy(new Error('the storage went away'))
    const open = async () => broken
    await expect(buffer(zip([{ name: 'a', sizeBytes: 3, open }]))).rejects.toThrow('went away')
    const gone = { name: 'a', sizeBytes: 3, open: () => Promise.reject(new Error('gone')) }
    await expect(buffer(zip([gone]))).rejects.toThrow('gone')
    const short = { ...fileOf('a', Buffer.from('ab')), sizeBytes: 3 }
    await expect(buffer(zip([short]))).rejects.toThrow('unexpected number of bytes')
  })

  test('that is not read to its end closes the open file', async () => {
    const endless = zeros(GIB)
    const archive = zip([{ name: 'a', sizeBytes: GIB, open: async () => endless }])
    archive.once('data', () => archive.destroy())
    await new Promise((resolve) => endless.once('close', resolve))
    expect(endless.readableEnded).toBe(false)
  })

  test.each(['', '/a', 'a//b', '../a', 'a/./b', 'a\\b', 'manifest.json', 'twice'])(
    'has no entry named %j',
    (name) => {
      const files = [fileOf('twice', Buffer.alloc(1)), fileOf(name, Buffer.alloc(1))]
      expect(() => zip(files)).toThrow(RangeError)
    },
  )
})
