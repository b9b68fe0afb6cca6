import { create } from 'content-disposition'
import type { SignedGet } from '../ports/storage.ts'

/** Header value in ASCII; other names go into `filename*` (RFC 8187). */
export function contentDispositionOf({
  fileName,
  disposition,
}: Pick<SignedGet, 'fileName' | 'disposition'>): string {
  return create(fileName.toWellFormed(), { type: disposition })
}
