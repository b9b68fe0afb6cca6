export interface Progress {
  /** Prints the current step, and at its end `outcome`, or without one the elapsed time. */
  step<T>(what: string, work: () => Promise<T>, outcome?: string): Promise<T>
  problem(message: string): void
  /** For other writers: nothing may be printed into an unfinished line. */
  makeRoom(): void
}

export function createProgress({
  write,
  isTerminal,
}: {
  write: (text: string) => void
  isTerminal: boolean
}): Progress {
  /** The text of the last line while that is unfinished. */
  let unfinished: string | undefined

  function makeRoom(): void {
    if (unfinished === undefined) return
    // A terminal can erase it. It is printed again with its end.
    write(isTerminal ? '\r\u001B[K' : '\n')
    unfinished = undefined
  }

  function begin(line: string): void {
    makeRoom()
    write(line)
    unfinished = line
  }

  function end(line: string, outcome: string): void {
    const isOnScreen = unfinished === line
    if (!isOnScreen) makeRoom()
    write(`${isOnScreen ? '' : line} ${outcome}\n`)
    unfinished = undefined
  }

  return {
    async step(what, work, outcome) {
      const line = `  ${what} …`
      begin(line)
      const start = performance.now()
      try {
        const result = await work()
        const seconds = ((performance.now() - start) / 1000).toFixed(1)
        end(line, outcome ?? `ready (${seconds} s)`)
        return result
      } catch (error) {
        end(line, 'failed')
        throw error
      }
    },
    problem(message) {
      makeRoom()
      write(`  ! ${message}\n`)
    },
    makeRoom,
  }
}
