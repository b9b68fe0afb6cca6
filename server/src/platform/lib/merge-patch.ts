import { ServiceError } from './service-error.ts'

/** Throws 422 IMMUTABLE_FIELD naming every one of these fields that the patch holds. */
export function refuseImmutable(patch: object, fields: readonly string[]): void {
  const details = fields
    .filter((field) => Object.hasOwn(patch, field))
    .map(
      (field) => ({ field, code: 'IMMUTABLE', message: 'cannot change after creation' }) as const,
    )
  if (details.length > 0) throw new ServiceError('IMMUTABLE_FIELD', { details })
}
