import { keyIdOf } from './api-key-store.ts'
import { createConsoleApi } from './console-api.ts'
import type { SignedIn } from './console-context.ts'

/**
 * Asks the service whose key it is. Throws `ConsoleError`: UNAUTHORIZED where it is not accepted.
 *
 * @param onEnded the key was accepted, and is not any more.
 */
export async function openConsole(apiKey: string, onEnded: () => void): Promise<SignedIn> {
  let isAccepted = false
  const api = createConsoleApi(apiKey, () => isAccepted && onEnded())
  const key = await api<'getApiKey'>('GET', `/api-keys/${keyIdOf(apiKey) ?? ''}`)
  isAccepted = true
  return { api, key }
}
