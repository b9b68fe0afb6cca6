import type { IncomingMessage } from 'node:http'
import { refuseField } from '../../platform/lib/service-error.ts'

/** Every value of a header as it was sent: Node joins some repeated ones, and drops others. */
export function valuesOf(
  { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>,
  name: string,
): string[] {
  return rawHeaders.filter(
    (_text, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name,
  )
}

/** Throws 400 INVALID_REQUEST for a second credential: a proxy before us may have checked the other one. */
export function refuseSecondCredential(raw: Pick<IncomingMessage, 'rawHeaders'>): void {
  if (valuesOf(raw, 'authorization').length < 2) return
  throw refuseField('INVALID_REQUEST', {
    field: 'Authorization',
    code: 'DUPLICATE',
    message: 'must be sent only once',
  })
}
