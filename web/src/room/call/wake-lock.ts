import { useEffect } from 'react'
import type { CallConnection } from '../../connection/call-connection.ts'
import { onWake } from '../../live/on-wake.ts'

/** Keeps a phone's screen awake during the call, where the browser can. */
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
        // Refused on low battery: the call continues without it.
      }
    }

    // The browser lets go of the lock whenever the page is hidden.
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

/** The screen stays awake. After sleep, a phone call, a frozen tab or an outage, what waits is tried immediately. */
export function useWake(call: CallConnection): void {
  useWakeLock()
  useEffect(() => onWake(() => call.wake()), [call])
}
