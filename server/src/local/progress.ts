export interface Progress {
  /** Says what is being done, and how long it took. */
  step<T>(what: string, work: () => Promise<T>): Promise<T>
  problem(message: string): void
}

export function createProgress(write: (text: string) => void): Progress {
  return {
    async step(what, work) {
      write(`  ${what} …`)
      const start = performance.now()
      try {
        const result = await work()
        write(` ready (${((performance.now() - start) / 1000).toFixed(1)} s)\n`)
        return result
      } catch (error) {
        write(' failed\n')
        throw error
      }
    },
    problem: (message) => write(`  ! ${message}\n`),
  }
}
