import { useEffect } from 'react'
import type { CallConnection } from '../../connection/call-connection.ts'
import { onWake } from '../../live/on-wake.ts'

/** Keeps a phone's screen on during the call, if the browser can. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let isOver = false

    async function take(): Promise<void> {
      if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return
      try {
        lock = await navigator.wakeLock.request('screen')
        if (isOver) await lock.release()
      } catch {
        // The browser refuses on low battery, and the call continues without the lock.
      }
    }

    // The browser releases the lock whenever the page is hidden.
    const onVisible = () => void take()
    document.addEventListener('visibilitychange', onVisible)
    void take()
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', onVisible)
      void lock?.release()
    }
  }, [])
}

/** Keeps the screen on. After sleep, a phone call, a frozen tab or an outage, pending retries run immediately. */
export function useWake(call: CallConnection): void {
  useWakeLock()
  useEffect(() => onWake(() => call.wake()), [call])
}
