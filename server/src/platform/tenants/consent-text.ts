import type { ConsentText } from '@interview-room/contract/consent.ts'
import { LOCALES, type Locale } from '@interview-room/contract/vocabulary.ts'

/** Of the words that the service has for tenants without their own. */
const DEFAULT_VERSION = 'default-1'

const DEFAULTS: Record<Locale, Omit<ConsentText, 'language' | 'version' | 'company'>> = {
  ja: {
    purpose: 'このインタビューの内容を確かめ、調査の結果をまとめるため',
    retention: '調査に必要な期間だけ保存し、その後は削除します',
    contact: 'このインタビューの案内をお送りした担当者',
  },
  en: {
    purpose: 'To review this interview and to prepare the results of the study',
    retention: 'As long as the study needs it, then it is deleted',
    contact: 'The person who sent you the invitation to this interview',
  },
}

/** One text for each language of the pages: the tenant's own, or the service's in the tenant's name. */
export function consentTextsOf(tenantName: string, own: readonly ConsentText[]): ConsentText[] {
  return LOCALES.map(
    (language) =>
      own.find((text) => text.language === language) ?? {
        language,
        version: DEFAULT_VERSION,
        company: tenantName,
        ...DEFAULTS[language],
      },
  )
}
