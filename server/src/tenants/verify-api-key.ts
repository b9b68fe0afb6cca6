import type { Deps } from '../deps.ts'

/** Authorization header -> tenant id, or undefined for every failure. */
export function createApiKeyVerifier(
  _deps: Pick<Deps, 'db' | 'clock'>,
): (authorization: string | undefined) => Promise<string | undefined> {
  return async () => undefined
}
