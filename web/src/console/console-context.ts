import type { ApiKeyBody } from '@interview-room/contract/management.ts'
import { createContext, use } from 'react'
import type { ConsoleApi } from './console-api.ts'

export interface SignedIn {
  api: ConsoleApi
  /** The key that opened the console. */
  key: ApiKeyBody
}

/** What the service shows only once, and whose it is. */
export type ShownSecret = { secret: string } & (
  | { of: 'api-key'; name: string }
  | { of: 'endpoint'; url: string }
)

interface Console extends SignedIn {
  /** Shows it above the sections, whichever is open, until it is stored. */
  showSecret: (shown: ShownSecret) => void
}

export const ConsoleContext = createContext<Console | undefined>(undefined)

/** Who is signed in; throws a defect outside of the signed-in page. */
export function useConsole(): Console {
  const signedIn = use(ConsoleContext)
  if (signedIn === undefined) throw new Error('nobody is signed in')
  return signedIn
}
