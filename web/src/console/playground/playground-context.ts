import { createContext, use } from 'react'
import type { DeliveredWebhook, LocalState } from './local-api.ts'

/** What the playground keeps while another section of the console is open. */
export interface PlaygroundState {
  /** Undefined until the service has answered. */
  local: LocalState | undefined
  webhooks: { delivered: readonly DeliveredWebhook[]; isLive: boolean }
  chosenRoomId: string | undefined
  chooseRoom: (id: string) => void
}

export const PlaygroundContext = createContext<PlaygroundState | undefined>(undefined)

/** Throws a defect outside of the playground. */
export function usePlayground(): PlaygroundState {
  const state = use(PlaygroundContext)
  if (state === undefined) throw new Error('this is not the playground')
  return state
}
