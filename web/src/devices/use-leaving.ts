import { useEffect, useRef } from 'react'

/** Returns a signal that aborts when the component is gone, so that nothing that it started continues. */
export function useLeaving(): () => AbortSignal {
  const leaving = useRef(new AbortController())
  useEffect(() => {
    // A component that is mounted again needs a new signal.
    if (leaving.current.signal.aborted) leaving.current = new AbortController()
    return () => leaving.current.abort()
  }, [])
  return () => leaving.current.signal
}
