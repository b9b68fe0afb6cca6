import { useEffect, useEffectEvent, useState } from 'react'

/** How long a person may think about what to do; every press and key restarts it. */
const IDLE_MAX_SEC = 45

const SIGNS = ['pointerdown', 'keydown'] as const

/** Ends it when nothing is done for a while in trouble; answers how many seconds are left. */
export function useIdleEnd(isTroubled: boolean, onEnd: () => void): number {
  const [leftSec, setLeftSec] = useState(IDLE_MAX_SEC)
  const end = useEffectEvent(onEnd)

  useEffect(() => {
    if (!isTroubled) return undefined
    let endsAtMs = performance.now() + IDLE_MAX_SEC * 1000
    const postpone = () => {
      endsAtMs = performance.now() + IDLE_MAX_SEC * 1000
    }
    const timer = setInterval(() => {
      const leftMs = endsAtMs - performance.now()
      setLeftSec(Math.max(0, Math.ceil(leftMs / 1000)))
      if (leftMs <= 0) {
        clearInterval(timer)
        end()
      }
    }, 1000)
    for (const sign of SIGNS) addEventListener(sign, postpone)
    return () => {
      clearInterval(timer)
      for (const sign of SIGNS) removeEventListener(sign, postpone)
    }
  }, [isTroubled])
  return leftSec
}
