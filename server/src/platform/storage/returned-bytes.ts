import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Storage, StorageError } from '../ports/storage.ts'

/** The storage answers, with other bytes than it was given: the file of a client is not to blame. */
const OTHER_BYTES = 'the storage returns other bytes than it was given'

/** The facts that are known about the bytes that were stored. */
export interface GivenBytes {
  sizeBytes: number
  /** In hexadecimal; left out for what a client has stored itself. */
  sha256?: string
}

/** Throws `StorageError` unless these can be the bytes that were stored. */
export async function requireGiven(
  bytes: AsyncIterable<unknown>,
  { sizeBytes, sha256 }: GivenBytes,
): Promise<void> {
  const hash = createHash('sha256')
  let length = 0
  for await (const chunk of bytes) {
    hash.update(chunk as Buffer)
    length += (chunk as Buffer).length
  }
  const isSame = length === sizeBytes && (sha256 === undefined || hash.digest('hex') === sha256)
  if (!isSame) throw new StorageError(OTHER_BYTES)
}

/** The same for an object, before somebody else is blamed for its content. */
export async function requireStored(
  storage: Pick<Storage, 'read'>,
  key: string,
  given: GivenBytes,
): Promise<void> {
  await requireGiven(await storage.read(key, { isAwaited: true }), given)
}

/** Belongs to no tenant. */
const PROBES = '00000000-0000-0000-0000-000000000000/probes'

/** True if the storage returns what it is given. Throws `StorageError` if it does not answer. */
export async function returnsGiven(
  storage: Pick<Storage, 'put' | 'read' | 'delete'>,
): Promise<boolean> {
  const key = `${PROBES}/${randomUUID()}`
  const given = randomBytes(32)
  await storage.put(key, Readable.from([given]), {
    mime: 'application/octet-stream',
    isAwaited: true,
  })
  const returned = await buffer(await storage.read(key, { isAwaited: true }))
  await storage.delete([key])
  return returned.equals(given)
}
