import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { refuseField, type ServiceError } from '../../platform/lib/service-error.ts'
import type { FileKind } from './handout.ts'
import { SNIFF_BYTES, sniff } from './sniff.ts'

interface WatchedFile {
  /** Passes its input on, and fails with the refusal as soon as there is a reason. */
  stream: Transform
  /** SHA-256 of the whole file, in hexadecimal. Call it once, at the end. */
  digest(): string
}

/**
 * Checks a file while it is streamed. Refuses a file whose first bytes do not match its name with 422
 * UNSUPPORTED_FILE_TYPE, and a file that becomes too large with 413 FILE_TOO_LARGE.
 */
export function watchFile({ mime, maxBytes }: FileKind): WatchedFile {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let head = Buffer.alloc(0)
  let isSniffed = false

  function judge(isComplete: boolean): ServiceError | undefined {
    if (sizeBytes > maxBytes) return tooLarge(maxBytes)
    if (isSniffed || (head.length < SNIFF_BYTES && !isComplete)) return undefined
    isSniffed = true
    return sniff(head) === mime ? undefined : refuseContent()
  }

  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length
      if (!isSniffed) head = Buffer.concat([head, chunk.subarray(0, SNIFF_BYTES)])
      const refusal = judge(false)
      if (refusal !== undefined) return done(refusal)
      hash.update(chunk)
      return done(null, chunk)
    },
    flush(done) {
      done(judge(true))
    },
  })
  return { stream, digest: () => hash.digest('hex') }
}

/** 422 UNSUPPORTED_FILE_TYPE: name, declared type and content do not agree. */
export function refuseContent(field = 'file'): ServiceError {
  return refuseField('UNSUPPORTED_FILE_TYPE', {
    field,
    code: 'CONTENT_MISMATCH',
    message: 'name, content_type and content of the file must be of the same type',
  })
}

function tooLarge(maxBytes: number): ServiceError {
  return refuseField('FILE_TOO_LARGE', {
    field: 'file',
    code: 'TOO_LARGE',
    message: `must have at most ${maxBytes} bytes`,
  })
}
