import type { FarewellBody } from '@interview-room/contract/farewell.ts'
import { useEffect, useState } from 'react'
import { type CheckedCredential, fetchFarewell } from '../connection/live-api.ts'
import { useBrandingSetter } from '../design/branding.tsx'

/** The state of a recording changes in the background while its file is made. */
const ASK_AGAIN_MS = 20_000
const UNFINISHED = ['started', 'paused', 'stopped', 'uploaded']

interface FarewellOf {
  roomId: string
  /** Null without a usable link. */
  credential: CheckedCredential | null
  /** True on a last page. */
  isWanted: boolean
}

interface LoadedFarewell {
  /** Undefined before it is loaded, and if it cannot be. */
  farewell: FarewellBody | undefined
  isLoading: boolean
}

/** The facts of a last page. They are loaded again until the recording has its file. */
export function useFarewell({ roomId, credential, isWanted }: FarewellOf): LoadedFarewell {
  const [loaded, setLoaded] = useState<LoadedFarewell>({ farewell: undefined, isLoading: true })
  const setBranding = useBrandingSetter()
  useEffect(() => {
    if (!isWanted || credential === null) return undefined
    let isHere = true
    const ask = () =>
      void fetchFarewell(roomId, credential).then((found) => {
        if (!isHere) return
        setLoaded(({ farewell }) => ({ farewell: found ?? farewell, isLoading: false }))
        if (found === undefined) return
        setBranding(found.branding)
        if (!UNFINISHED.includes(found.recording?.status ?? '')) clearInterval(timer)
      })
    const timer = setInterval(ask, ASK_AGAIN_MS)
    ask()
    return () => {
      isHere = false
      clearInterval(timer)
    }
  }, [roomId, credential, isWanted, setBranding])
  return { ...loaded, isLoading: isWanted && credential !== null && loaded.isLoading }
}
