const FILE_NAME_MAX = 255

/** Control characters, and characters that turn the direction of the text: a name must not look like another. */
const DECEIVING = /[\p{Cc}\p{Bidi_Control}]/gu
/** Characters without any use in a name. Joiners stay: words of Persian and Hindi, and many emoji, consist of them. */
const USELESS =
  /[\u180e\u200b\u2060-\u206f\u{e0000}-\u{e001f}\ufeff\ufff9-\ufffb\p{Noncharacter_Code_Point}]/gu
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\s]/u

/**
 * A file name that is safe to show and to send in a header: without folders and control characters, at most 255 characters
 * including the extension. Empty when nothing visible remains.
 */
export function cleanFileName(given: string): string {
  const base = given.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const name = base
    .normalize('NFC')
    .replaceAll(DECEIVING, '')
    .replaceAll(USELESS, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  if (!VISIBLE.test(name)) return ''
  const characters = Array.from(name)
  if (characters.length <= FILE_NAME_MAX) return name
  const extension = Array.from(/\.[^.]{1,16}$/u.exec(name)?.[0] ?? '')
  return [...characters.slice(0, FILE_NAME_MAX - extension.length), ...extension].join('')
}
