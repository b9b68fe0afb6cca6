import { DISPLAY_NAME_MAX } from './limits.ts'

// oxlint-disable-next-line no-control-regex -- these are what a name must not hold
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u

/** Embeddings, overrides and isolates of direction: in a name, they turn round what others read beside it. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/gu

/** Invisible characters: spaces, zero-width characters, directional marks, fillers. */
const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu

/**
 * The name in its canonical form (NFC), without characters that turn the direction of the text. Undefined unless it has 1..255 code points, no control character, and at
 * least one visible character.
 */
export function displayNameOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined
  const name = value.normalize('NFC').replaceAll(DIRECTIONS, '')
  const { length } = Array.from(name)
  const isUsable =
    name.replaceAll(UNSEEN, '') !== '' && length <= DISPLAY_NAME_MAX && !CONTROL.test(name)
  return isUsable ? name : undefined
}
