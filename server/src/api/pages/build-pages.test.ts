import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError } from '../../platform/config/config.ts'
import { ensurePages } from './build-pages.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pages-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the start of the service', () => {
  test('is refused without built pages, and says how to bring them', async () => {
    const refused = ensurePages(folder)
    await expect(refused).rejects.toBeInstanceOf(ConfigError)
    await expect(refused).rejects.toThrow('npm run build')
  })

  test('takes the pages that were brought', async () => {
    writeFileSync(path.join(folder, 'room.html'), '')
    await expect(ensurePages(folder)).resolves.toBeUndefined()
  })
})
