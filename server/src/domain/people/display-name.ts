import { displayNameOf } from '@interview-room/contract/display-name.ts'
import { refuseField } from '../../platform/lib/service-error.ts'

/** The cleaned display name. Throws 400 INVALID_REQUEST. */
export function requireDisplayName(name: string | undefined): string {
  const displayName = displayNameOf(name)
  if (displayName !== undefined) return displayName
  throw refuseField('INVALID_REQUEST', {
    field: 'name',
    code: name === undefined ? 'REQUIRED' : 'INVALID_FORMAT',
    message: 'must be a name of 1 to 255 characters without control characters',
  })
}
