import { useEffect, useState } from 'react'
import type { SignedIn } from '../console-context.ts'
import { openConsole } from '../open-console.ts'
import { localApi } from './local-api.ts'

const RETRY_MS = 2_000

export interface DemoTenant {
  /** Undefined until the service has answered. */
  signedIn: SignedIn | undefined
  hasFailed: boolean
}

/** Signs in as the demo tenant, and again when its key has expired or was revoked. Retries until it succeeds. */
export function useDemoTenant(): DemoTenant {
  const [signedIn, setSignedIn] = useState<SignedIn>()
  const [hasFailed, setHasFailed] = useState(false)

  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let endedKey: string | undefined

    async function enter(): Promise<void> {
      try {
        const { api_key: apiKey } = await localApi.key()
        const opened = await openConsole(apiKey, () => onEnded(apiKey))
        if (isOver) return
        setSignedIn(opened)
        setHasFailed(false)
      } catch {
        if (isOver) return
        setHasFailed(true)
        timer = setTimeout(() => void enter(), RETRY_MS)
      }
    }
    /** Called once for every request that was under way with the key. */
    function onEnded(apiKey: string): void {
      if (isOver || endedKey === apiKey) return
      endedKey = apiKey
      void enter()
    }
    void enter()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [])

  return { signedIn, hasFailed }
}
