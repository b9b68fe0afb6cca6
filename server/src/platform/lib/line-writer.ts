import { write, writeSync } from 'node:fs'
import { systemClock } from './clock.ts'

/** Bytes that may wait for a reader who has stopped reading. Further lines are lost. */
const UNREAD_MAX = 16 * 1024 * 1024
/** How long lines are gathered for one write, in milliseconds: each write wakes a thread. */
const GATHER_MS = 50
/** Pause before a lagging reader is tried again, in milliseconds. */
const PAUSE_MS = 100
/** Tries of a synchronous flush, during which the whole process stands still. */
const TRIES_MAX = 5

interface Output {
  write: (fd: number, bytes: Buffer, done: (error: Error | null, written: number) => void) => void
  writeSync: (fd: number, bytes: Buffer) => number
}

export interface LineWriter {
  /** Writes it later, after all lines before it. */
  add(line: string): void
  /** Writes what waits before it returns. */
  flush(): void
}

/**
 * Writes lines of the log to an open file. A full disk or a reader that has gone costs lines, never the process:
 * the next line that can be written comes after one that says how many are lost. (Pino's own destination repeats a
 * synchronous write to a full disk without an end.)
 */
export function createLineWriter(fd: number, output: Output = { write, writeSync }): LineWriter {
  return new OpenWriter(fd, output)
}

class OpenWriter implements LineWriter {
  readonly #fd: number
  readonly #output: Output
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #lostLines = 0
  #isWriting = false

  constructor(fd: number, output: Output) {
    this.#fd = fd
    this.#output = output
  }

  add(line: string): void {
    const bytes = Buffer.from(line)
    if (this.#waitingBytes + bytes.length > UNREAD_MAX) {
      this.#lostLines += 1
      return
    }
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    this.#writeSoon()
  }

  flush(): void {
    for (let tries = 0; this.#waiting.length > 0 && tries < TRIES_MAX;) {
      const { bytes, lines } = this.#take()
      try {
        this.#putBack(bytes.subarray(this.#output.writeSync(this.#fd, bytes)))
      } catch (error) {
        this.#settle(error, bytes, lines)
        if (!isLag(error)) return
        tries += 1
        if (tries < TRIES_MAX) sleep(PAUSE_MS)
      }
    }
    this.#writeSoon()
  }

  /** With the lines that come until then; a flush may be first. */
  #writeSoon(): void {
    if (this.#isWriting || this.#waiting.length === 0) return
    this.#isWriting = true
    setTimeout(() => this.#writeAll(), GATHER_MS)
  }

  #writeAll(): void {
    if (this.#waiting.length === 0) {
      this.#isWriting = false
      return
    }
    const { bytes, lines } = this.#take()
    this.#output.write(this.#fd, bytes, (error, written) => {
      if (error === null) this.#putBack(bytes.subarray(written))
      else this.#settle(error, bytes, lines)
      if (error !== null && isLag(error)) setTimeout(() => this.#goOn(), PAUSE_MS).unref()
      else this.#goOn()
    })
  }

  #goOn(): void {
    this.#isWriting = false
    this.#writeSoon()
  }

  #take(): { bytes: Buffer; lines: number } {
    const notice = this.#lostLines > 0 ? [Buffer.from(noticeOf(this.#lostLines))] : []
    const bytes = Buffer.concat([...notice, ...this.#waiting])
    const lines = this.#lostLines + this.#waiting.length
    this.#waiting = []
    this.#waitingBytes = 0
    this.#lostLines = 0
    return { bytes, lines }
  }

  #settle(error: unknown, bytes: Buffer, lines: number): void {
    if (isLag(error)) this.#putBack(bytes)
    else this.#lostLines += lines
  }

  #putBack(rest: Buffer): void {
    if (rest.length === 0) return
    this.#waiting.unshift(rest)
    this.#waitingBytes += rest.length
  }
}

/** Begins on a line of its own, because the output before it may have broken off in the middle of one. */
function noticeOf(lines: number): string {
  const entry = {
    level: 40,
    time: systemClock().getTime(),
    pid: process.pid,
    lines,
    msg: 'log lines lost',
  }
  return `\n${JSON.stringify(entry)}\n`
}

/** The reader lags behind, and may continue later. */
function isLag(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EAGAIN' || code === 'EBUSY'
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
