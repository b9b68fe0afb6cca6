/**
 * Calls `wake` after sleep, a phone call, a frozen tab or an outage, sometimes more than once. Returns a function
 * that stops it.
 */
export function onWake(wake: () => void): () => void {
  const away = new AbortController()
  const { signal } = away
  const onAwake = () => {
    if (document.visibilityState === 'visible') wake()
  }
  document.addEventListener('visibilitychange', onAwake, { signal })
  document.addEventListener('resume', onAwake, { signal })
  addEventListener('pageshow', onAwake, { signal })
  addEventListener('online', onAwake, { signal })
  return () => away.abort()
}
