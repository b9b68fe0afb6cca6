import { useEffect, useState } from 'react'

const IDLE_MS = 4_000
const SIGNS_OF_USE = ['pointerdown', 'pointermove', 'touchmove', 'keydown', 'focusin']

/** True after four seconds without a touch or a key, while that is of interest. */
export function useIdle(isOfInterest: boolean): boolean {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => {
    if (!isOfInterest) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    function wake(): void {
      clearTimeout(timer)
      timer = setTimeout(() => setIsIdle(true), IDLE_MS)
      setIsIdle(false)
    }
    wake()
    for (const sign of SIGNS_OF_USE) addEventListener(sign, wake, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      for (const sign of SIGNS_OF_USE) removeEventListener(sign, wake, { capture: true })
    }
  }, [isOfInterest])
  return isOfInterest && isIdle
}
