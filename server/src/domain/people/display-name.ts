import { DISPLAY_NAME_MAX } from '@interview-room/contract/limits.ts'
import { refuseField } from '../../platform/lib/service-error.ts'

// oxlint-disable-next-line no-control-regex -- these are what a name must not hold
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u

/** Length in code points, as the contract counts. */
export function countOf(text: string): number {
  return Array.from(text).length
}

/** What nobody sees: spaces, zero-width characters, marks of the writing direction, fillers. */
const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu

/**
 * The name in its canonical form (NFC), or undefined unless it has 1..255 code points, none of them a
 * control character and at least one that can be seen.
 */
export function displayNameOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined
  const name = value.normalize('NFC')
  const length = countOf(name)
  const isUsable =
    name.replaceAll(UNSEEN, '') !== '' && length <= DISPLAY_NAME_MAX && !CONTROL.test(name)
  return isUsable ? name : undefined
}

/** The name of somebody who enters with it. Throws 400 INVALID_REQUEST. */
export function requireDisplayName(name: string | undefined): string {
  const displayName = displayNameOf(name)
  if (displayName !== undefined) return displayName
  throw refuseField('INVALID_REQUEST', {
    field: 'name',
    code: name === undefined ? 'REQUIRED' : 'INVALID_FORMAT',
    message: 'must be a name of 1 to 255 characters without control characters',
  })
}
