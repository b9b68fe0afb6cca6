import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, closeSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLineWriter } from './line-writer.ts'

const fault = (code: string) => Object.assign(new Error(code), { code })

/** An output that fails with this code as long as there is one. */
function createOutput() {
  const output = {
    code: undefined as string | undefined,
    /** The most bytes that one write takes. */
    takes: Infinity,
    written: '',
    writeSync(_fd: number, bytes: Buffer): number {
      if (output.code !== undefined) throw fault(output.code)
      const taken = bytes.subarray(0, output.takes)
      output.written += taken.toString()
      return taken.length
    },
    write(fd: number, bytes: Buffer, done: (error: Error | null, written: number) => void) {
      setImmediate(() => {
        let taken = 0
        try {
          taken = output.writeSync(fd, bytes)
        } catch (error) {
          return done(error as Error, 0)
        }
        return done(null, taken)
      })
    },
  }
  return output
}

const ALL_WRITTEN_MS = 1_000

describe('lines of the log', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('of one moment are written together', async () => {
    const output = createOutput()
    const write = vi.spyOn(output, 'write')
    const writer = createLineWriter(2, output)
    for (let n = 0; n < 5; n += 1) {
      writer.add(`${n}\n`)
      await vi.advanceTimersByTimeAsync(1)
    }
    await vi.advanceTimersByTimeAsync(ALL_WRITTEN_MS)
    expect(output.written).toBe('0\n1\n2\n3\n4\n')
    expect(write).toHaveBeenCalledOnce()
  })

  test('are written in their order, however little is taken at a time', async () => {
    const output = createOutput()
    output.takes = 3
    const writer = createLineWriter(2, output)
    writer.add('one\n')
    await vi.advanceTimersByTimeAsync(ALL_WRITTEN_MS)
    writer.add('two\n')
    writer.add('three\n')
    writer.flush()
    await vi.advanceTimersByTimeAsync(ALL_WRITTEN_MS)
    expect(output.written).toBe('one\ntwo\nthree\n')
  })

  test('are lost on a full disk, which is said once there is space', async () => {
    const output = createOutput()
    output.code = 'ENOSPC'
    const writer = createLineWriter(2, output)
    writer.add('one\n')
    await vi.advanceTimersByTimeAsync(ALL_WRITTEN_MS)
    writer.add('two\n')
    writer.flush()
    await vi.advanceTimersByTimeAsync(ALL_WRITTEN_MS)
    output.code = undefined
    writer.add('three\n')
    await vi.advanceTimersByTimeAsync(ALL_WRITTEN_MS)
    const [start, notice, ...rest] = output.written.split('\n')
    expect(start).toBe('')
    expect(JSON.parse(notice ?? '')).toMatchObject({ level: 40, lines: 2, msg: 'log lines lost' })
    expect(rest).toEqual(['three', ''])
  })

  test('wait for a reader that lags, and nothing waits long for them', async () => {
    const output = createOutput()
    output.code = 'EAGAIN'
    const writer = createLineWriter(2, output)
    writer.add('one\n')
    writer.flush()
    output.code = undefined
    writer.add('two\n')
    await vi.advanceTimersByTimeAsync(ALL_WRITTEN_MS)
    expect(output.written).toBe('one\ntwo\n')
  })
})

test.skipIf(process.platform !== 'linux')(
  'a process whose log is on a full disk works on, and ends when it is to',
  async () => {
    const service = path.resolve(import.meta.dirname, '../../service.ts')
    const program = `
      const { standardError } = await import(${JSON.stringify(service)})
      const log = standardError()
      log.write('{"level":30,"msg":"of a request"}\\n')
      await new Promise((resolve) => setTimeout(resolve, 50))
      log.write('{"level":50,"msg":"of an error"}\\n')
      console.log('still there')`
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', full],
    })
    closeSync(full)
    const [said, [code]] = await Promise.all([text(child.stdout as Readable), once(child, 'exit')])
    expect({ said, code }).toEqual({ said: 'still there\n', code: 0 })
  },
)
