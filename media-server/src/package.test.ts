import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import config from '../rolldown.config.ts'

const WORKSPACE = path.join(import.meta.dirname, '..')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'package-'))
  const [given] = [config.output].flat()
  const output = { ...given, dir: path.join(folder, 'dist') }
  await build({ ...config, cwd: WORKSPACE, output, logLevel: 'silent' })
  await cp(path.join(WORKSPACE, 'bin'), path.join(folder, 'bin'), { recursive: true })
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
  await symlink(path.join(WORKSPACE, '../node_modules'), path.join(folder, 'node_modules'))
})
afterAll(async () => rm(folder, { recursive: true, force: true }))

test.each(['interview-media-server', 'interview-recorder'])(
  'the package runs %s without its sources',
  async (program) => {
    const file = path.join(folder, 'bin', `${program}.js`)
    const { stdout } = await promisify(execFile)(process.execPath, [file, '--help'])
    expect(stdout).toContain(`Usage: ${program}`)
  },
)
