import type { ApiKeyBody } from '@interview-room/contract/management.ts'
import { createContext, use } from 'react'
import type { ConsoleApi } from './console-api.ts'

export interface SignedIn {
  api: ConsoleApi
  /** The key that opened the console. */
  key: ApiKeyBody
}

/** A secret that the service shows only once, and its owner. */
export type ShownSecret = { secret: string } & (
  | { of: 'api-key'; name: string }
  | { of: 'endpoint'; url: string }
)

interface Console extends SignedIn {
  /** Shows the secret above every section, until its reader has stored it. */
  showSecret: (shown: ShownSecret) => void
}

export const ConsoleContext = createContext<Console | undefined>(undefined)

/** The signed-in key and API. Throws outside of the signed-in page, which would be a bug. */
export function useConsole(): Console {
  const signedIn = use(ConsoleContext)
  if (signedIn === undefined) throw new Error('nobody is signed in')
  return signedIn
}
