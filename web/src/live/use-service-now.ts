import { useEffect, useState } from 'react'
import { useLiveState } from './use-live.tsx'

/** The service's clock in epoch milliseconds, read every `tickMs`. */
export function useServiceNow(tickMs: number): number {
  const clockOffsetMs = useLiveState((state) => state.clockOffsetMs)
  const [localMs, setLocalMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setLocalMs(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [tickMs])
  return localMs + clockOffsetMs
}
