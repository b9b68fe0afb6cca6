import type { Config } from './platform/config/config.ts'
import type { Clock } from './platform/lib/clock.ts'
import type { Storage } from './platform/ports/storage.ts'
import { createFileAddresses, type FileAddresses } from './platform/storage/file-addresses.ts'
import { createFolderStorage } from './platform/storage/folder/folder-storage.ts'
import { withLongAddresses } from './platform/storage/s3/long-addresses.ts'
import { createS3Storage } from './platform/storage/s3/s3-storage.ts'

export interface OpenStorage {
  storage: Storage
  addresses: FileAddresses
  /** The folder whose files we serve ourselves; undefined for a bucket. */
  folder: string | undefined
}

/** The configured storage, for the service and for the admin commands. */
export function openStorage(
  {
    storage: chosen,
    publicUrl,
    secretsKey,
    previousSecretsKey,
  }: Pick<Config, 'storage' | 'publicUrl' | 'secretsKey' | 'previousSecretsKey'>,
  clock: Clock,
): OpenStorage {
  const addresses = createFileAddresses({ publicUrl, secretsKey, previousSecretsKey, clock })
  if (chosen.kind === 's3') {
    const s3 = createS3Storage(chosen.s3, clock)
    return { storage: withLongAddresses(s3, addresses), addresses, folder: undefined }
  }
  const { folder } = chosen
  return { storage: createFolderStorage(folder, addresses), addresses, folder }
}
