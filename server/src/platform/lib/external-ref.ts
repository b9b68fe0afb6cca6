import { refuseField } from './service-error.ts'

interface GivenRef {
  external_type?: string | undefined
  external_id?: string | number | undefined
}

/** Throws 400 INVALID_REQUEST unless both halves of an external reference are given, or neither. */
export function refuseHalfRef(given: GivenRef): void {
  const { external_type: type, external_id: id } = given
  if ((type === undefined) === (id === undefined)) return
  const isTypeMissing = type === undefined
  throw refuseField('INVALID_REQUEST', {
    field: isTypeMissing ? 'external_type' : 'external_id',
    code: 'PAIR_REQUIRED',
    message: `must be sent together with ${isTypeMissing ? 'external_id' : 'external_type'}`,
  })
}
