import { useEffect } from 'react'
import type { CallConnection } from '../../connection/call-connection.ts'

/** After sleep, a phone call, a frozen tab or an outage: what waits is tried immediately. */
export function useWake(call: CallConnection): void {
  useEffect(() => {
    const away = new AbortController()
    const { signal } = away
    const onAwake = () => {
      if (document.visibilityState === 'visible') call.wake()
    }
    document.addEventListener('visibilitychange', onAwake, { signal })
    document.addEventListener('resume', onAwake, { signal })
    addEventListener('pageshow', onAwake, { signal })
    addEventListener('online', onAwake, { signal })
    return () => away.abort()
  }, [call])
}
