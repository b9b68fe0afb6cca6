/** For closes that have their own bounds: taking longer than this is a defect. */
const WATCHDOG_MS = 23_000

/**
 * Ends the process in order on Ctrl-C or SIGTERM, once, with exit code 0; with 1 when that takes
 * longer than `drainSec` and 23 s. A second signal changes nothing.
 */
export function closeOnSignals(
  close: () => Promise<void>,
  { drainSec = 0 }: { drainSec?: number } = {},
): void {
  let isClosing = false

  function onSignal(): void {
    if (isClosing) return
    isClosing = true
    setTimeout(() => process.exit(1), drainSec * 1000 + WATCHDOG_MS).unref()
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
