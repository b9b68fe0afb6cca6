import { useEffect, useRef } from 'react'

/** Answers the signal that the component is gone: what it began must not continue without it. */
export function useLeaving(): () => AbortSignal {
  const leaving = useRef(new AbortController())
  useEffect(() => {
    // Mounted a second time, it has another signal.
    if (leaving.current.signal.aborted) leaving.current = new AbortController()
    return () => leaving.current.abort()
  }, [])
  return () => leaving.current.signal
}
