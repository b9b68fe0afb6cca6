import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { refuseField, type ServiceError } from '../../platform/lib/service-error.ts'
import type { FileKind } from './handout.ts'
import { SNIFF_BYTES, sniff } from './sniff.ts'
import { VideoBoxes } from './video-boxes.ts'

interface WatchedFile {
  /** Passes its input on, and fails with the refusal as soon as there is a reason. */
  stream: Transform
  /** SHA-256 of the whole file, in hexadecimal. Call it once, at the end. */
  digest(): string
}

/**
 * Checks a file while it is streamed. Refuses a file whose content does not match its name, and a video that no player can
 * play, with 422 UNSUPPORTED_FILE_TYPE, and a file that becomes too large with 413 FILE_TOO_LARGE.
 */
export function watchFile({ contentType, mime, maxBytes }: FileKind): WatchedFile {
  const hash = createHash('sha256')
  const check = contentType === 'image' ? imageCheck(mime) : videoCheck()
  let sizeBytes = 0

  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length
      const refusal = sizeBytes > maxBytes ? tooLarge(maxBytes) : check.push(chunk)
      if (refusal !== undefined) return done(refusal)
      hash.update(chunk)
      return done(null, chunk)
    },
    flush(done) {
      done(check.end())
    },
  })
  return { stream, digest: () => hash.digest('hex') }
}

interface ContentCheck {
  push(chunk: Buffer): ServiceError | undefined
  end(): ServiceError | undefined
}

function imageCheck(mime: string): ContentCheck {
  let head = Buffer.alloc(0)
  const judge = () => (sniff(head) === mime ? undefined : refuseContent())
  return {
    push(chunk) {
      if (head.length >= SNIFF_BYTES) return undefined
      head = Buffer.concat([head, chunk.subarray(0, SNIFF_BYTES)])
      return head.length < SNIFF_BYTES ? undefined : judge()
    },
    end: () => (head.length < SNIFF_BYTES ? judge() : undefined),
  }
}

function videoCheck(): ContentCheck {
  const boxes = new VideoBoxes()
  return {
    push(chunk) {
      boxes.push(chunk)
      return boxes.isBroken ? refuseContent() : undefined
    },
    end: () => (boxes.isComplete ? undefined : refuseUnplayable()),
  }
}

/** 422 UNSUPPORTED_FILE_TYPE: a video that no player can play. */
export function refuseUnplayable(): ServiceError {
  return refuseField('UNSUPPORTED_FILE_TYPE', {
    field: 'file',
    code: 'CONTENT_MISMATCH',
    message: 'is not a complete video with pictures that can be decoded',
  })
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
