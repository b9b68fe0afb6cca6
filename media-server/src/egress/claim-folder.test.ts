import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimFolder } from './claim-folder.ts'

const SHORT_MS = 300

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'claim-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A process that claims the folder and keeps it. */
async function claimElsewhere() {
  const module = path.join(import.meta.dirname, 'claim-folder.ts')
  const program = `
    const { claimFolder } = await import(${JSON.stringify(module)})
    await claimFolder(${JSON.stringify(folder)})
    console.log('claimed')
    setInterval(() => {}, 1000)`
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: [...stdio],
  })
  await once(child.stdout, 'data')
  return {
    kill: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

test('a folder has one owner, and another one as soon as it is released', async () => {
  const claim = await claimFolder(folder)
  await expect(claimFolder(folder, SHORT_MS)).rejects.toThrow(
    `another process works in the folder ${folder}`,
  )
  const next = claimFolder(folder)
  await claim.release()
  await (await next).release()
  expect(await readdir(folder)).toEqual([])
})

test('a folder of another process is free when that was killed', async () => {
  const owner = await claimElsewhere()
  await expect(claimFolder(folder, SHORT_MS)).rejects.toThrow('another process works in the folder')
  await owner.kill()
  await (await claimFolder(folder, SHORT_MS)).release()
})

test('a folder with a long name is claimed like any other', async () => {
  const long = path.join(folder, 'a'.repeat(120), 'b'.repeat(120))
  await mkdir(long, { recursive: true })
  const claim = await claimFolder(long)
  await expect(claimFolder(long, SHORT_MS)).rejects.toThrow('another process')
  await claim.release()
})

test('a folder that is not there is said to be missing', async () => {
  await expect(claimFolder(path.join(folder, 'none'))).rejects.toThrow('ENOENT')
})
