import { createContext, use } from 'react'
import type { DeliveredWebhook, LocalState } from './local-api.ts'

/** The state of the playground that survives while another section of the console is open. */
export interface PlaygroundState {
  /** Undefined until the service has answered. */
  local: LocalState | undefined
  webhooks: { delivered: readonly DeliveredWebhook[]; isLive: boolean }
  chosenRoomId: string | undefined
  chooseRoom: (id: string) => void
}

export const PlaygroundContext = createContext<PlaygroundState | undefined>(undefined)

/** Throws outside of the playground, which would be a bug. */
export function usePlayground(): PlaygroundState {
  const state = use(PlaygroundContext)
  if (state === undefined) throw new Error('this is not the playground')
  return state
}
