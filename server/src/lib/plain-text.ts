import type { ErrorDetail } from '@interview-room/contract/errors.ts'
import { ServiceError } from './service-error.ts'

// oxlint-disable-next-line no-control-regex -- finding them is the point
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** Throws 400 INVALID_REQUEST naming every field whose text holds a control character. */
export function refuseControlCharacters(texts: Record<string, string | null | undefined>): void {
  const details = Object.entries(texts)
    .filter(([, text]) => CONTROL.test(text ?? ''))
    .map(([field]): ErrorDetail => {
      return { field, code: 'INVALID_FORMAT', message: 'must not hold control characters' }
    })
  if (details.length > 0) throw new ServiceError('INVALID_REQUEST', { details })
}
