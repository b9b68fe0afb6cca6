import type { Config } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import { createFileAddresses, type FileAddresses } from '../file-addresses.ts'
import { createFolderStorage } from '../folder/folder-storage.ts'

/** The storage of one machine, for a test whose files must be real ones. */
export function createTestFolder(
  folder: string,
  { publicUrl, secretsKey }: Pick<Config, 'publicUrl' | 'secretsKey'>,
): { storage: Storage; addresses: FileAddresses } {
  const addresses = createFileAddresses({ publicUrl, secretsKey, clock: systemClock })
  return { storage: createFolderStorage(folder, addresses), addresses }
}
