import { useCallback, useSyncExternalStore } from 'react'
import type { BoardConnection } from './board-connection.ts'

const TICK_MS = 1_000
const MINUTE_MS = 60_000

/**
 * Full minutes since this moment, rounded down; negative before it. Only the component that shows the number renders again, and
 * only when the number changes.
 */
export function useMinutes(board: BoardConnection, sinceMs: number): number {
  const read = useCallback(
    () => Math.floor((board.nowMs() - sinceMs) / MINUTE_MS),
    [board, sinceMs],
  )
  return useSyncExternalStore(everySecond, read)
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function everySecond(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
