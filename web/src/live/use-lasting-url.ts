import { useState } from 'react'
import { lastingUrl } from './lasting-url.ts'

/** Of a file that is shown while new addresses of it come: which to load, and whether none can be loaded. */
export function useLastingUrl(latest: string) {
  const [first] = useState(latest)
  const [failed, setFailed] = useState<readonly string[]>([])
  const { url, hasFailed } = lastingUrl({ first, latest, failed })
  return { url, hasFailed, onError: () => setFailed((before) => [...before, url]) }
}
