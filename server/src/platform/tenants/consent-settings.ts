import type { BrandingBody } from '@interview-room/contract/branding.ts'
import type { ConsentPolicy } from '@interview-room/contract/consent-rules.ts'
import type { ConsentText } from '@interview-room/contract/consent.ts'
import { PLAIN } from '@interview-room/contract/envelope.ts'
import { CONSENT_TEXT_MAX, CONSENT_VERSION_MAX } from '@interview-room/contract/limits.ts'
import type { ViewerAbility } from '@interview-room/contract/reviews.ts'
import { LOCALES, type Locale } from '@interview-room/contract/vocabulary.ts'
import type { Db, Query } from '../db/db.ts'
import { presentBranding } from './branding.ts'
import {
  findConsentSettings,
  hasConsentVersion,
  type NewReturnUrl,
  updateConsentPolicy,
  updateReturnUrl,
  updateStaffReview,
  upsertConsentText,
} from './consent-settings-store.ts'
import { tenantMustExist, UnknownTenantError } from './manage-tenants.ts'

const URL_MAX = 2048

/** Version of the service's own texts, for tenants without theirs. */
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

/** Thrown for a text or an address that cannot be set; the message says why. */
export class ConsentSettingsError extends Error {
  override name = 'ConsentSettingsError'
}

/** A tenant's consent policy and texts, the pages that people return to, and the branding of the rooms. */
export interface ConsentSettings extends ConsentPolicy {
  returnUrl: string | null
  staffReturnUrl: string | null
  /** Abilities of moderators, observers and operators in the review room; empty for none. */
  staffReview: ViewerAbility[]
  texts: ConsentText[]
  branding: BrandingBody
}

/** Throws UnknownTenantError. */
export async function readConsentSettings(
  query: Query,
  tenantId: string,
): Promise<ConsentSettings> {
  const row = await findConsentSettings(query, tenantId)
  if (row === undefined) throw unknown(tenantId)
  const {
    tenantName,
    recordingConsent,
    observationConsent,
    returnUrl,
    staffReturnUrl,
    staffReview,
    texts,
    ...branding
  } = row
  return {
    recordingConsent,
    observationConsent,
    returnUrl,
    staffReturnUrl,
    staffReview,
    texts: consentTextsOf(tenantName, texts),
    branding: presentBranding(branding),
  }
}

/** Undefined fields stay. Throws UnknownTenantError. */
export async function setConsentPolicy(
  db: Db,
  tenantId: string,
  policy: Partial<ConsentPolicy>,
): Promise<void> {
  if (!(await updateConsentPolicy(db, tenantId, policy))) throw unknown(tenantId)
}

/** Replaces the text in this language. Throws ConsentSettingsError, UnknownTenantError. */
export async function setConsentText(db: Db, tenantId: string, text: ConsentText): Promise<void> {
  for (const [field, value] of Object.entries(text)) {
    const max = field === 'version' ? CONSENT_VERSION_MAX : CONSENT_TEXT_MAX
    if (value.trim() === '' || Array.from(value).length > max || !new RegExp(PLAIN).test(value)) {
      throw new ConsentSettingsError(`${field} must be one line of 1 to ${max} characters`)
    }
  }
  await tenantMustExist(db, tenantId)
  await upsertConsentText(db, tenantId, text)
}

/** True for a version of the tenant's texts, present or past, or of the service's own. */
export async function isConsentVersion(
  query: Query,
  text: { tenantId: string; version: string },
): Promise<boolean> {
  return text.version === DEFAULT_VERSION || hasConsentVersion(query, text)
}

/** Null removes it. Throws ConsentSettingsError for anything but https, UnknownTenantError. */
export async function setReturnUrl(
  db: Db,
  { returnUrl, ...whose }: NewReturnUrl,
): Promise<string | null> {
  const checked = returnUrl === null ? null : readReturnUrl(returnUrl)
  if (!(await updateReturnUrl(db, { ...whose, returnUrl: checked }))) throw unknown(whose.tenantId)
  return checked
}

/** Throws UnknownTenantError. */
export async function setStaffReview(
  db: Db,
  tenantId: string,
  may: readonly ViewerAbility[],
): Promise<void> {
  if (!(await updateStaffReview(db, tenantId, may))) throw unknown(tenantId)
}

function readReturnUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isAllowed = url?.protocol === 'https:' && url.username === '' && url.password === ''
  if (url === undefined || !isAllowed || url.href.length > URL_MAX) {
    throw new ConsentSettingsError(
      `${text} is no address such as https://example.com/thanks of at most ${URL_MAX} characters`,
    )
  }
  return url.href
}

function unknown(tenantId: string): UnknownTenantError {
  return new UnknownTenantError(`there is no tenant ${tenantId}`)
}

/** One text for each language of the pages: the tenant's own, or the service's in the tenant's name. */
function consentTextsOf(tenantName: string, own: readonly ConsentText[]): ConsentText[] {
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
