import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { installMissing } from './missing-parts.ts'
import { createProgress } from './progress.ts'

let folder: string
let printed: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-apt-'))
  printed = ''
  vi.stubEnv('PATH', folder)
  vi.spyOn(process, 'getuid').mockReturnValue(0)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

const progress = createProgress({ write: (text) => (printed += text), isTerminal: false })
const ordered = () => readFile(path.join(folder, 'ordered'), 'utf8').catch(() => '')

/** Puts a program into the PATH that notes what is ordered from the package manager. */
async function addAptGet({ exitCode }: { exitCode: number }): Promise<void> {
  const file = path.join(folder, 'apt-get')
  const script = `[ "$1" = --version ] || { echo "$@" >> ${folder}/ordered; exit ${exitCode}; }`
  await writeFile(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
}

test('a start as root installs ffmpeg and the font that are missing', async () => {
  await addAptGet({ exitCode: 0 })
  await installMissing({ hasFfmpeg: false, fonts: {} }, progress)
  expect(await ordered()).toMatch(/^update .*\ninstall .* ffmpeg fonts-noto-cjk\n$/)
  expect(printed).toBe('  Installing ffmpeg and fonts-noto-cjk … done\n')
})

test('a start installs only what is missing', async () => {
  await addAptGet({ exitCode: 0 })
  await installMissing({ hasFfmpeg: true, fonts: { latin: 'DejaVuSans.ttf' } }, progress)
  expect(await ordered()).toMatch(/install (-\S+ )*fonts-noto-cjk\n$/)
})

test.each([
  ['a machine lacks nothing', { hasFfmpeg: true, fonts: { eastAsian: 'cjk.ttc' } }, 0],
  ['it runs as an ordinary user', { hasFfmpeg: false, fonts: {} }, 1000],
])('a start installs nothing where %s', async (_where, machine, userId) => {
  await addAptGet({ exitCode: 0 })
  vi.spyOn(process, 'getuid').mockReturnValue(userId)
  await installMissing(machine, progress)
  expect([await ordered(), printed]).toEqual(['', ''])
})

test('a start goes on where the packages cannot be installed', async () => {
  await addAptGet({ exitCode: 100 })
  await installMissing({ hasFfmpeg: false, fonts: {} }, progress)
  expect(printed).toMatch(/! they could not be installed/)
})
