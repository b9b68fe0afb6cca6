import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

test('makes the parent folders, even concurrently, and none if that is impossible', async () => {
  const above = mkdtempSync(path.join(tmpdir(), 'folder-'))
  const folder = path.join(above, 'a/b')
  await Promise.all([makeFolder(folder), makeFolder(folder), makeFolder(folder)])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  writeFileSync(path.join(above, 'file'), '')
  await expect(makeFolder(path.join(above, 'file/b'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  rmSync(above, { recursive: true })
})

test('fails below /proc, where folders are refused as if nothing were above them', async () => {
  await expect(makeFolder('/proc/interview-room/work')).rejects.toMatchObject({ code: 'ENOENT' })
})
