import type { ApiKeyBody } from '@interview-room/contract/management.ts'
import { createContext, use } from 'react'
import type { ConsoleApi } from './console-api.ts'

export interface SignedIn {
  api: ConsoleApi
  /** The key that opened the console. */
  key: ApiKeyBody
}

export const ConsoleContext = createContext<SignedIn | undefined>(undefined)

/** Who is signed in; throws a defect outside of the signed-in page. */
export function useConsole(): SignedIn {
  const signedIn = use(ConsoleContext)
  if (signedIn === undefined) throw new Error('nobody is signed in')
  return signedIn
}
