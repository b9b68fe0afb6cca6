const WATCHDOG_MS = 28_000

/**
 * Ends the process in order on Ctrl-C or SIGTERM, once, with exit code 0; with 1 when that takes
 * over 28 s. A second signal changes nothing.
 */
export function closeOnSignals(close: () => Promise<void>): void {
  let isClosing = false

  function onSignal(): void {
    if (isClosing) return
    isClosing = true
    setTimeout(() => process.exit(1), WATCHDOG_MS).unref()
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`could not stop in order: ${String(error)}\n`)
        process.exit(1)
      },
    )
  }

  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}
