import { createContext, type ReactNode, use, useSyncExternalStore } from 'react'
import type { LiveRoom } from './live-room.ts'
import type { LiveState } from './store.ts'

const LiveContext = createContext<LiveRoom | null>(null)

export function LiveProvider({ live, children }: { live: LiveRoom; children: ReactNode }) {
  return <LiveContext value={live}>{children}</LiveContext>
}

/** The live room that this part of the page is in. */
export function useLive(): LiveRoom {
  const live = use(LiveContext)
  if (live === null) throw new Error('used outside of a live room')
  return live
}

/** Subscribes to a part of the live state. `select` must return a part of the state itself, and not a new object. */
export function useLiveState<T>(select: (state: LiveState) => T): T {
  const { store } = useLive()
  return useSyncExternalStore(store.subscribe, () => select(store.getState()))
}
