import { keyIdOf } from './api-key-store.ts'
import { createConsoleApi } from './console-api.ts'
import type { SignedIn } from './console-context.ts'

/**
 * Asks the service for the key's tenant and scopes. Throws `ConsoleError`, with UNAUTHORIZED if the key is not
 * accepted.
 *
 * @param onEnded is called when an accepted key is not accepted any more.
 */
export async function openConsole(apiKey: string, onEnded: () => void): Promise<SignedIn> {
  let isAccepted = false
  const api = createConsoleApi(apiKey, () => isAccepted && onEnded())
  const key = await api<'getApiKey'>('GET', `/api-keys/${keyIdOf(apiKey) ?? ''}`)
  isAccepted = true
  return { api, key }
}
