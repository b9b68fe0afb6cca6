import { ServiceError } from './service-error.ts'

/** Throws 422 IMMUTABLE_FIELD naming every one of these fields to which the patch gives another value. */
export function refuseImmutable(
  patch: object,
  current: Readonly<Record<string, string | number>>,
): void {
  const wanted = new Map<string, unknown>(Object.entries(patch))
  const details = Object.entries(current)
    // An id may be written as a number.
    .filter(([field, value]) => wanted.has(field) && String(wanted.get(field)) !== String(value))
    .map(
      ([field]) => ({ field, code: 'IMMUTABLE', message: 'cannot change after creation' }) as const,
    )
  if (details.length > 0) throw new ServiceError('IMMUTABLE_FIELD', { details })
}
