/** Invisible characters: spaces, zero-width characters, directional marks, fillers. */
const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu

/**
 * The name in the form that the service accepts, or undefined if it would refuse it: on one line, without control
 * characters, and with a visible character. Names pasted from two cells of a table contain tabs.
 */
export function typedName(typed: string): string | undefined {
  const name = typed
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return name.replaceAll(UNSEEN, '') === '' ? undefined : name
}
