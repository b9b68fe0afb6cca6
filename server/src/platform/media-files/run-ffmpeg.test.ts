import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { waitFor } from '../../testing/wait-for.ts'
import { ownedName } from '../lib/owned-name.ts'
import { findFfmpeg, isTooOld } from './find-ffmpeg.ts'
import { runFfmpeg } from './run-ffmpeg.ts'
import { requireSpace, sweepWorkspaces, withWorkspace } from './workspace.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-ffmpeg-'))
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => rm(folder, { recursive: true, force: true }))

const MINUTE_MS = 60_000
/** Longer than any test waits: it must be killed. */
const ENDLESS = '-re -f lavfi -i testsrc=s=64x48:r=10 -t 600 -f null -'.split(' ')
const SHORT = '-f lavfi -i testsrc=s=64x48:r=10:d=3 -f null -'.split(' ')

interface StartedProgram {
  args: readonly string[]
  deadlineMs?: number
  cwd?: string
}

/** A run under way, with everything that it logs. */
function start(ffmpeg: string, { args, deadlineMs = MINUTE_MS, cwd = folder }: StartedProgram) {
  const logged = new PassThrough()
  const aborter = new AbortController()
  const progress: number[] = []
  const running = runFfmpeg(ffmpeg, {
    args,
    folder: cwd,
    deadlineMs,
    signal: aborter.signal,
    log: pino(logged),
    onProgress: (doneSec) => progress.push(doneSec),
  })
  const failure = running.then(
    () => undefined,
    (error: unknown) => error,
  )
  return { failure, aborter, progress, logs: async () => text(logged.end()) }
}

/** Programs that run in this folder. */
async function pidsIn(cwd: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const locations = await Promise.all(
    pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => undefined)),
  )
  return pids.filter((_, index) => locations[index] === cwd).map(Number)
}

const ffmpeg = await findFfmpeg(undefined)

describe('a run of ffmpeg', () => {
  test('reports its progress in seconds of the result', async () => {
    const run = start(ffmpeg, { args: SHORT })
    expect(await run.failure).toBeUndefined()
    expect(run.progress.at(-1)).toBeGreaterThan(2.5)
  })

  test('has lower priority than the service, and is killed when it is aborted', async () => {
    const cwd = path.join(folder, 'aborted')
    await mkdir(cwd, { recursive: true })
    const run = start(ffmpeg, { args: ENDLESS, cwd })
    await waitFor(async () => (await pidsIn(cwd)).some((pid) => getPriority(pid) === 10))
    run.aborter.abort(new Error('not wanted any more'))
    expect(await run.failure).toMatchObject({ message: 'not wanted any more' })
    await waitFor(async () => (await pidsIn(cwd)).length === 0)
  })

  test('is killed when it takes too long', async () => {
    const run = start(ffmpeg, { args: ENDLESS, deadlineMs: 500 })
    expect(await run.failure).toMatchObject({ problem: 'timed_out' })
  })

  test('accepts a fractional limit', async () => {
    const run = start(ffmpeg, { args: SHORT, deadlineMs: MINUTE_MS + 0.5 })
    expect(await run.failure).toBeUndefined()
  })

  test('reports a failure in fixed words, and logs it without a location', async () => {
    const secret = 'http://127.0.0.1:9/object.mp4?X-Amz-Signature=secret-one'
    for (const location of [secret, '/secret-one/object.mp4']) {
      const run = start(ffmpeg, { args: ['-i', location, '-f', 'null', '-'] })
      const failure = await run.failure
      expect(String(failure)).toBe('MediaFileError: ffmpeg failed')
      expect(failure).toMatchObject({ problem: 'failed' })
      const logs = await run.logs()
      expect(logs).toContain('ffmpeg failed')
      expect(logs).not.toContain('secret-one')
    }
  })

  test('that is not wanted before it begins does not begin', async () => {
    const log = pino({ level: 'silent' })
    const signal = AbortSignal.abort(new Error('too late'))
    const run = runFfmpeg(ffmpeg, { args: ENDLESS, folder, deadlineMs: 1, signal, log })
    await expect(run).rejects.toThrow('too late')
  })

  test('and the search for it pass on no setting of the service, and no variable that changes its behaviour', async () => {
    const seen = path.join(folder, 'environment')
    const program = path.join(folder, 'ffmpeg-that-prints')
    const script = `#!/bin/sh\nenv >> ${seen}\nexec ${ffmpeg} "$@"\n`
    await writeFile(program, script, { mode: 0o755 })
    vi.stubEnv('DATABASE_URL', 'postgres://user:secret@db/rooms')
    vi.stubEnv('FFREPORT', `file=${path.join(folder, 'report')}`)
    vi.stubEnv('LD_LIBRARY_PATH', '/opt/codecs')
    expect(await findFfmpeg(program)).toBe(program)
    expect(await start(program, { args: SHORT }).failure).toBeUndefined()
    const lines = (await readFile(seen, 'utf8')).split('\n')
    expect(lines.filter((line) => line === 'LD_LIBRARY_PATH=/opt/codecs')).toHaveLength(2)
    expect(lines.filter((line) => /^(?:DATABASE_URL|FFREPORT)=/.test(line))).toEqual([])
  })

  test('on a full disk says that', async () => {
    const raw = '-f lavfi -i testsrc=s=320x240:r=10:d=3 -f rawvideo /dev/full'.split(' ')
    const run = start(ffmpeg, { args: raw })
    expect(await run.failure).toMatchObject({ problem: 'disk_full' })
  })
})

describe('the ffmpeg that is taken', () => {
  test('is the configured one', async () => {
    expect(await findFfmpeg('ffmpeg')).toBe('ffmpeg')
  })

  test.each([
    ['ffmpeg version 4.4.2-0ubuntu0.22.04.1 Copyright (c) 2000-2023 the FFmpeg developers', true],
    ['ffmpeg version N-92722-gf22fcd4483-static Copyright (c) 2000-2018 the developers', true],
    ['ffmpeg version 5.1.9-0+deb12u1 Copyright (c) 2000-2026 the FFmpeg developers', false],
    ['ffmpeg version n7.0-7-gd38bf5e08e Copyright (c) 2000-2024 the FFmpeg developers', false],
    ['ffmpeg version N-110000-gabcdef Copyright (c) 2000-2023 the FFmpeg developers', false],
  ])('is of version 5 or later: %s', (banner, tooOld) => {
    expect(isTooOld(banner)).toBe(tooOld)
  })

  test('is found when none is configured', async () => {
    expect(await findFfmpeg(undefined)).toEqual(expect.stringMatching(/ffmpeg$/))
  })

  test.each(['/nowhere/ffmpeg', process.execPath])(
    'is never %s: a clear error',
    async (program) => {
      await expect(findFfmpeg(program)).rejects.toMatchObject({
        problem: 'no_ffmpeg',
        message: expect.stringContaining('FFMPEG_PATH'),
      })
    },
  )
})

test('an ffmpeg of version 4 is not taken', async () => {
  const old = path.join(folder, 'old-ffmpeg')
  const banner = 'ffmpeg version 4.4.2 Copyright (c) 2000-2023 the FFmpeg developers'
  const script = `echo "${banner}" >&2; echo " V... libx264 x"; echo " A... aac x"`
  await writeFile(old, `#!/bin/sh\n${script}\n`, { mode: 0o700 })
  await expect(findFfmpeg(old)).rejects.toMatchObject({ problem: 'no_ffmpeg' })
})

describe('a workspace', () => {
  test('is a separate private folder, and is removed with its content afterwards', async () => {
    const used = await withWorkspace(folder, async (one) => {
      expect((await stat(one)).mode & 0o777).toBe(0o700)
      await writeFile(path.join(one, 'file'), 'x')
      return one
    })
    await expect(stat(used)).rejects.toThrow('ENOENT')
    const failing = withWorkspace(folder, async (one) => {
      await writeFile(path.join(one, 'file'), 'x')
      throw new Error(one)
    })
    const failure = await failing.catch((error: unknown) => error)
    await expect(stat((failure as Error).message)).rejects.toThrow('ENOENT')
  })

  test('says when there is not enough room', async () => {
    await requireSpace(folder, 1)
    await expect(requireSpace(folder, 2 ** 60)).rejects.toMatchObject({ problem: 'disk_full' })
    const full = withWorkspace(folder, () => writeFile('/dev/full', 'x'))
    await expect(full).rejects.toMatchObject({ problem: 'disk_full' })
  })

  test('of a process that died is removed at the next start, with the program in it', async () => {
    const root = path.join(folder, 'swept')
    const ours = ownedName()
    const died = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(died, 'exit')
    const dead = ours.replace(`.${process.pid}.`, `.${died.pid}.`)
    for (const name of [ours, dead]) await mkdir(path.join(root, name), { recursive: true })
    const orphan = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], {
      cwd: path.join(root, dead),
      stdio: 'ignore',
    })
    const exited = once(orphan, 'exit')
    await sweepWorkspaces(root)
    expect(await readdir(root)).toEqual([ours])
    const [, signal] = await exited
    expect(signal).toBe('SIGKILL')
  })

  test('need not be there to be swept', async () => {
    await expect(sweepWorkspaces(path.join(folder, 'nowhere'))).resolves.toBeUndefined()
  })
})
