import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../../platform/config/config.ts'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { requirePages } from './require-pages.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pages-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const start = (role: string) =>
  requirePages(loadConfig({ ...TEST_ENVIRONMENT, PAGES_DIR: folder, ROLE: role }))

describe('the start of the service', () => {
  test('is refused without built pages, and names the command that builds them', async () => {
    await expect(start('api')).rejects.toBeInstanceOf(ConfigError)
    await expect(start('all')).rejects.toThrow(`no built pages in ${folder}. Run "npm run build"`)
  })

  test('is refused while one of the pages is missing, as after a build that was killed', async () => {
    for (const page of ['room', 'test', 'board', 'review'])
      writeFileSync(path.join(folder, `${page}.html`), '')
    await expect(start('api')).rejects.toThrow('npm run build')
  })

  test('takes pages that were built elsewhere', async () => {
    writeFileSync(path.join(folder, 'console.html'), '')
    await expect(start('api')).resolves.toBeUndefined()
  })

  test('of a worker needs none', async () => {
    rmSync(path.join(folder, 'room.html'))
    await expect(start('worker')).resolves.toBeUndefined()
  })
})
