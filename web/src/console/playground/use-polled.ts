import { useCallback, useEffect, useRef, useState } from 'react'

const EVERY_MS = 2_000

export interface PolledData<T> {
  data: T | undefined
  hasFailed: boolean
  refresh: () => void
}

/** Polls every two seconds while the page is visible, and whenever `ask` changes. */
export function usePolled<T>(ask: () => Promise<T>): PolledData<T> {
  const [answer, setAnswer] = useState<{ ask: () => Promise<T>; data: T }>()
  const [hasFailed, setHasFailed] = useState(false)
  const askNow = useRef(() => {})

  useEffect(() => {
    let isOver = false
    async function once(): Promise<void> {
      if (document.visibilityState !== 'visible') return
      try {
        const data = await ask()
        if (isOver) return
        setAnswer({ ask, data })
        setHasFailed(false)
      } catch {
        if (!isOver) setHasFailed(true)
      }
    }
    askNow.current = () => void once()
    askNow.current()
    const timer = setInterval(() => void once(), EVERY_MS)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [ask])

  const refresh = useCallback(() => askNow.current(), [])
  // An answer to an earlier `ask` does not count.
  return { data: answer?.ask === ask ? answer.data : undefined, hasFailed, refresh }
}
