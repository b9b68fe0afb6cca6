/**
 * Calls `wake` after sleep, a phone call, a frozen tab or an outage, several times for some of them. Answers how to
 * end it.
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
