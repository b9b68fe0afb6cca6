import { useCallback, useEffect, useRef, useState } from 'react'
import { onWake } from '../live/on-wake.ts'

const RETRY_MS = 5_000

export interface Loaded<T> {
  /** Undefined while it is loading. */
  data: T | undefined
  hasFailed: boolean
  /** Asks again now, and resolves when the answer is shown. */
  reload: () => Promise<void>
}

interface LoadOptions<T> {
  /** How long the answer stays as it is. Null if it does not change. Must be the same function in each drawing. */
  againMs?: (data: T) => number | null
}

/** Data of the service, asked for again while the page is visible. `ask` is null for what the viewer may not read. */
export function useLoaded<T>(
  ask: (() => Promise<T>) | null,
  { againMs }: LoadOptions<T> = {},
): Loaded<T> {
  const [answer, setAnswer] = useState<{ data?: T; hasFailed: boolean }>({ hasFailed: false })
  const askNow = useRef(async () => {})

  useEffect(() => {
    if (ask === null) return undefined
    let isOver = false
    let isKept = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const askIn = (ms: number) => {
      timer = setTimeout(() => void once(), ms)
    }
    async function once(): Promise<void> {
      clearTimeout(timer)
      // Asked again when the page is seen again.
      if (ask === null || isOver || document.visibilityState !== 'visible') return
      try {
        const data = await ask()
        if (isOver) return
        // The same object draws nothing again.
        setAnswer((before) => (isSame(before, data) ? before : { data, hasFailed: false }))
        const nextMs = againMs?.(data) ?? null
        isKept = nextMs === null
        clearTimeout(timer)
        if (nextMs !== null) askIn(nextMs)
      } catch {
        if (isOver) return
        setAnswer((before) => ({ ...before, hasFailed: true }))
        askIn(RETRY_MS)
      }
    }
    askNow.current = once
    void once()
    const stopWaking = onWake(() => {
      if (!isKept) void once()
    })
    return () => {
      isOver = true
      clearTimeout(timer)
      stopWaking()
    }
  }, [ask, againMs])

  const reload = useCallback(() => askNow.current(), [])
  return { data: answer.data, hasFailed: answer.hasFailed, reload }
}

function isSame<T>(before: { data?: T; hasFailed: boolean }, data: T): boolean {
  return !before.hasFailed && JSON.stringify(before.data) === JSON.stringify(data)
}
