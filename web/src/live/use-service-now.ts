import { useEffect, useState } from 'react'
import { tickOf } from './tick.ts'
import { useLiveState } from './use-live.tsx'

/**
 * The service's clock in epoch milliseconds, in steps of `tickMs`. All users of a step change together and show the
 * same time.
 */
export function useServiceNow(tickMs: number): number {
  const clockOffsetMs = useLiveState((state) => state.clockOffsetMs)
  const [localMs, setLocalMs] = useState(() => performance.now())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    function waitForNext(): void {
      const { endsInMs } = tickOf(performance.now() + clockOffsetMs, tickMs)
      timer = setTimeout(() => {
        setLocalMs(performance.now())
        waitForNext()
      }, endsInMs)
    }
    waitForNext()
    return () => clearTimeout(timer)
  }, [clockOffsetMs, tickMs])
  return tickOf(localMs + clockOffsetMs, tickMs).beganAtMs
}
