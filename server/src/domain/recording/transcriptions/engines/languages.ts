/** The contract's codes in the form of ISO 639-1, which many engines use. */
export const ISO_CODES: Readonly<Record<string, string>> = {
  'ja-JP': 'ja',
  'en-US': 'en',
  'zh-CN': 'zh',
  'zh-TW': 'zh',
  'ko-KR': 'ko',
  'th-TH': 'th',
  'vi-VN': 'vi',
}

/** The languages to translate from. English needs no translation, and most engines refuse it. */
export function foreign(languages: readonly string[]): string[] {
  return languages.filter((language) => language !== 'en-US')
}
