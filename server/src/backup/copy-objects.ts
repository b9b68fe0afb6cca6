import type { Storage } from '../platform/ports/storage.ts'

/** Signed addresses say the type. */
const ANY_TYPE = 'application/octet-stream'

/** Copies every object; returns their number and bytes. An object that is deleted meanwhile is left out. */
export async function copyObjects(
  from: Pick<Storage, 'list' | 'read' | 'head'>,
  to: Pick<Storage, 'put'>,
): Promise<{ count: number; sizeBytes: number }> {
  const copied = { count: 0, sizeBytes: 0 }
  let after: string | undefined
  do {
    const page = await from.list(after)
    for (const { key } of page.objects) {
      const sizeBytes = await copyObject(key, from, to)
      if (sizeBytes === undefined) continue
      copied.count += 1
      copied.sizeBytes += sizeBytes
    }
    after = page.next
  } while (after !== undefined)
  return copied
}

/** Undefined when it is gone. */
async function copyObject(
  key: string,
  from: Pick<Storage, 'read' | 'head'>,
  to: Pick<Storage, 'put'>,
): Promise<number | undefined> {
  try {
    const { sizeBytes } = await to.put(key, await from.read(key), { mime: ANY_TYPE })
    return sizeBytes
  } catch (error) {
    if ((await from.head(key)) === undefined) return undefined
    throw error
  }
}
