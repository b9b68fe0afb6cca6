import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../lib/clock.ts'
import { type FolderSetting, startFolder } from '../testing/settings.ts'

let setting: FolderSetting
beforeAll(async () => {
  setting = await startFolder()
})
afterAll(() => setting.close())

test('a file that cannot be deleted does not stop the deletion of later ones', async () => {
  const storage = setting.open(systemClock)
  const chat = `${randomUUID()}/chat`
  const [failing, next] = [`${chat}/${randomUUID()}`, `${chat}/${randomUUID()}`]
  // A folder cannot be deleted as a file.
  await mkdir(path.join(setting.folder, failing), { recursive: true })
  await writeFile(path.join(setting.folder, next), 'x')
  await expect(storage.delete([failing, next])).rejects.toThrow('delete')
  expect(await storage.head(next)).toBeUndefined()
})
