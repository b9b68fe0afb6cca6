/** Codes of the contract, as engines that know languages by ISO 639-1 write them. */
export const ISO_CODES: Readonly<Record<string, string>> = {
  'ja-JP': 'ja',
  'en-US': 'en',
  'zh-CN': 'zh',
  'zh-TW': 'zh',
  'ko-KR': 'ko',
  'th-TH': 'th',
  'vi-VN': 'vi',
}

/** What is written in English already needs no translation, and most engines refuse it. */
export function foreign(languages: readonly string[]): string[] {
  return languages.filter((language) => language !== 'en-US')
}
