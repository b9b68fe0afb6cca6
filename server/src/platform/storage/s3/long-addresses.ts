import type { Storage } from '../../ports/storage.ts'
import type { FileAddresses } from '../file-addresses.ts'
import { EXPIRY_MAX_SEC } from './presigner.ts'

/** S3 signs for seven days at most. Addresses that must hold longer lead through the service (`redirect-routes.ts`). */
export function withLongAddresses(
  storage: Storage,
  addresses: Pick<FileAddresses, 'signGet'>,
): Storage {
  return {
    ...storage,
    signGet: async (key, options) =>
      options.expiresInSec > EXPIRY_MAX_SEC
        ? addresses.signGet(key, options)
        : storage.signGet(key, options),
  }
}
