import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliver } from './deliver.ts'
import type { Output } from './job.ts'

const UPLOAD = {
  accessKey: 'AKIA-public',
  secret: 'the-secret-itself',
  sessionToken: '',
  region: 'eu-west-1',
  // Nobody listens there.
  endpoint: 'http://127.0.0.1:1',
  bucket: 'b',
  forcePathStyle: true,
  contentDisposition: '',
  metadata: {},
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deliver-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function delivering(output: Output) {
  const file = path.join(folder, 'composed.mp4')
  await writeFile(file, 'a video')
  const job = { selection: { of: 'tracks', sids: [] }, plan: {} as never, output } as const
  return deliver(file, job, { signal: new AbortController().signal, isLost: false })
}

describe('a finished file', () => {
  test('appears whole where it was asked for, in folders that are made', async () => {
    const file = path.join(folder, 'a/b/c.mp4')
    expect(await delivering({ kind: 'file', file })).toEqual({
      filename: file,
      location: file,
      sizeBytes: 7,
    })
    expect(await readFile(file, 'utf8')).toBe('a video')
    expect(await readdir(path.dirname(file))).toEqual(['c.mp4'])
  })

  test('that cannot be written there is an upload that failed', async () => {
    await writeFile(path.join(folder, 'taken'), 'no folder')
    const output = { kind: 'file', file: path.join(folder, 'taken/c.mp4') } as const
    await expect(delivering(output)).rejects.toThrow(/^Local upload failed: /)
  })

  test('that the storage does not take is an upload that failed, told without secrets', async () => {
    const output = { kind: 's3', key: 'k.mp4', upload: UPLOAD } as const
    const failure = await delivering(output).catch((error: unknown) => String(error))
    expect(failure).toMatch(/^Error: S3 upload failed: /)
    expect(failure).not.toMatch(/the-secret-itself|AKIA-public/)
  })
})
