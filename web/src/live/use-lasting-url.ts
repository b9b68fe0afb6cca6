import { useState } from 'react'
import { lastingUrl } from './lasting-url.ts'

/**
 * Chooses the URL of a file on display, for which the service issues new URLs. `hasFailed` is true if none of them
 * loads.
 */
export function useLastingUrl(latest: string) {
  const [first] = useState(latest)
  const [failed, setFailed] = useState<readonly string[]>([])
  const { url, hasFailed } = lastingUrl({ first, latest, failed })
  return { url, hasFailed, onError: () => setFailed((before) => [...before, url]) }
}
