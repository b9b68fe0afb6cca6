import type { Storage } from '../platform/ports/storage.ts'

/** Copies every object; answers how many there were, and their bytes. */
export async function copyObjects(
  from: Storage,
  to: Storage,
): Promise<{ count: number; sizeBytes: number }> {
  const copied = { count: 0, sizeBytes: 0 }
  let after: string | undefined
  do {
    const page = await from.list(after)
    for (const { key } of page.objects) {
      const { sizeBytes } = await to.put(key, await from.read(key), { mime: ANY_TYPE })
      copied.count += 1
      copied.sizeBytes += sizeBytes
    }
    after = page.next
  } while (after !== undefined)
  return copied
}

/** Signed addresses say the type. */
const ANY_TYPE = 'application/octet-stream'
