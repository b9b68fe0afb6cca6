/** What nobody sees: spaces, zero-width characters, marks of the writing direction, fillers. */
const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu

/**
 * A name as the service takes it, or undefined where it takes none: in one line, without control characters, and with
 * something to be seen. Names come with tabs, from two cells of a table.
 */
export function typedName(typed: string): string | undefined {
  const name = typed
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return name.replaceAll(UNSEEN, '') === '' ? undefined : name
}
