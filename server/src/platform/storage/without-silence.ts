import { Readable } from 'node:stream'
import { StorageError } from '../ports/storage.ts'

/**
 * The same bytes; fails with a `StorageError` when a reader waits for more than that, in
 * milliseconds. How long the reader takes between two pieces does not count.
 */
export function withoutSilence(body: Readable, silenceMs: number): Readable {
  async function* pieces(): AsyncGenerator {
    const source = body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const piece = await inTime(source.next(), silenceMs)
        if (piece.done === true) return
        yield piece.value
      }
    } finally {
      body.destroy()
    }
  }
  return Readable.from(pieces())
}

async function inTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StorageError('the storage is silent')), limitMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
