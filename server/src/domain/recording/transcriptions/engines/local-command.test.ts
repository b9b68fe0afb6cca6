import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { waitFor } from '../../../../testing/wait-for.ts'
import type { Submission } from './engine.ts'
import { createLocalEngine } from './local-command.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-command-'))
  await writeFile(path.join(folder, 'audio.wav'), 'sound')
})
afterAll(() => rm(folder, { recursive: true, force: true }))
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

function engineOf(script: string, ...more: string[]) {
  const command = [process.execPath, '-e', script, '{audio}', ...more] as const
  const withheld = new Set(['DATABASE_URL'])
  return createLocalEngine({ command, languages: ['ja-JP', 'en-US'], withheld })
}

const order = (changes: Partial<Submission> = {}): Submission => ({
  path: path.join(folder, 'audio.wav'),
  durationSec: 2,
  reference: 'r',
  language: 'ja-JP',
  translate: false,
  signal: new AbortController().signal,
  ...changes,
})

/** Writes its own id and a child's, then both run forever. */
const HANGING = `
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])
  require('node:fs').writeFileSync('pids', process.pid + ' ' + child.pid)
  setInterval(() => {}, 1e6)
`

const readPids = () => readFile(path.join(folder, 'pids'), 'utf8').catch(() => '')

async function pids(): Promise<number[]> {
  await waitFor(async () => / \d+$/.test(await readPids()))
  return (await readPids()).split(' ').map(Number)
}

/** A process that has ended may remain as a zombie until its parent notices. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z')
}

describe('the local command', () => {
  test('that hangs is killed with its children at the time limit, and may be retried', async () => {
    const limit = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
    const submitted = engineOf(HANGING).submit(order())
    const started = await pids()
    expect(started.map(isRunning)).toEqual([true, true])
    limit.abort()
    await expect(submitted).rejects.toMatchObject({
      problem: { isTransient: true, reason: 'timed_out' },
    })
    await waitFor(() => started.every((pid) => !isRunning(pid)))
    expect(timeout).toHaveBeenCalledWith(30 * 60_000)
    await rm(path.join(folder, 'pids'))
  })

  test('may take four times the length of a long audio', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    await engineOf('').submit(order({ durationSec: 3600 }))
    expect(timeout).toHaveBeenCalledWith(4 * 3600_000)
  })

  test('is killed with its children when the service stops', async () => {
    const stop = new AbortController()
    const submitted = engineOf(HANGING).submit(order({ signal: stop.signal }))
    const started = await pids()
    stop.abort(new Error('stopping'))
    await expect(submitted).rejects.toThrow('stopping')
    await waitFor(() => started.every((pid) => !isRunning(pid)))
    await rm(path.join(folder, 'pids'))
  })

  test('does not run when it is aborted before it starts', async () => {
    const signal = AbortSignal.abort(new Error('stopping'))
    await expect(engineOf(HANGING).submit(order({ signal }))).rejects.toThrow('stopping')
  })

  test('that prints endlessly is killed and has no result', async () => {
    const script = `const x = 'x'.repeat(1e6); (function more() { process.stdout.write(x, more) })()`
    await expect(engineOf(script).submit(order())).rejects.toMatchObject({
      problem: { isTransient: false, reason: 'result_invalid' },
    })
  })

  test.each([
    [{ language: 'ja-JP' }, '/audio.wav ja-JP ja transcribe'],
    [{ language: 'en-US', translate: true }, '/audio.wav en-US en translate'],
  ])('gets language and task of %j', async (changes, reported) => {
    const print = `
      const said = process.argv.slice(1).join(' ').replace(/^.*\\//, '/')
      process.stdout.write(JSON.stringify({ words: [{ word: said, start: 0, end: 1 }] }))
    `
    const engine = engineOf(print, '{language}', '{lang}', '{task}')
    const submitted = await engine.submit(order(changes))
    expect(submitted).toMatchObject({
      kind: 'done',
      words: [{ text: expect.stringContaining(reported) }],
    })
  })

  test("gets the service's environment variables, but none of its settings", async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://user:secret@db/rooms')
    vi.stubEnv('CUDA_VISIBLE_DEVICES', '3')
    const print = `
      const { DATABASE_URL, CUDA_VISIBLE_DEVICES } = process.env
      const word = [DATABASE_URL, CUDA_VISIBLE_DEVICES].join()
      process.stdout.write(JSON.stringify({ words: [{ word, start: 0, end: 1 }] }))
    `
    const submitted = await engineOf(print).submit(order())
    expect(submitted).toMatchObject({ kind: 'done', words: [{ text: ',3' }] })
  })

  test('translates if it takes a {task}, from every language that it knows', () => {
    expect(engineOf('').capabilities.translatesFrom).toEqual([])
    expect(engineOf('', '{task}').capabilities.translatesFrom).toEqual(['ja-JP', 'en-US'])
  })
})
