import type { ConsentPolicy } from '@interview-room/contract/consent-rules.ts'
import type { ConsentText } from '@interview-room/contract/consent.ts'
import type { ViewerAbility } from '@interview-room/contract/reviews.ts'
import type { Query } from '../db/db.ts'

/** A tenant's branding as stored; null stands for the service's own. */
export interface BrandSettings {
  brandName: string | null
  /** A data URL. */
  brandLogo: string | null
  /** `#rrggbb`, lower case. */
  brandColor: string | null
  helpContact: string | null
}

export interface ConsentSettingsRow extends ConsentPolicy, BrandSettings {
  tenantName: string
  returnUrl: string | null
  staffReturnUrl: string | null
  staffReview: ViewerAbility[]
  texts: ConsentText[]
}

export async function findConsentSettings(
  query: Query,
  tenantId: string,
): Promise<ConsentSettingsRow | undefined> {
  const [row] = await query<ConsentSettingsRow[]>`
    select name as "tenantName", recording_consent as "recordingConsent",
           observation_consent as "observationConsent", return_url as "returnUrl",
           staff_return_url as "staffReturnUrl", staff_review as "staffReview",
           brand_name as "brandName", brand_logo as "brandLogo", brand_color as "brandColor",
           help_contact as "helpContact",
           array(select json_build_object(
                          'language', c.language, 'version', c.version, 'company', c.company,
                          'purpose', c.purpose, 'retention', c.retention, 'contact', c.contact)
                   from consent_texts c
                  where c.tenant_id = tenants.id) as texts
      from tenants
     where id = ${tenantId}
  `
  return row
}

/** Undefined fields stay. False if there is no such tenant. */
export async function updateConsentPolicy(
  query: Query,
  tenantId: string,
  { recordingConsent, observationConsent }: Partial<ConsentPolicy>,
): Promise<boolean> {
  const { count } = await query`
    update tenants
       set recording_consent   = coalesce(${recordingConsent ?? null}::text, recording_consent),
           observation_consent = coalesce(${observationConsent ?? null}::text, observation_consent)
     where id = ${tenantId}
  `
  return count === 1
}

export interface NewReturnUrl {
  tenantId: string
  returnUrl: string | null
  /** True for moderators, observers and operators, false for panelists. */
  isForStaff: boolean
}

/** Null removes it. False if there is no such tenant. */
export async function updateReturnUrl(
  query: Query,
  { tenantId, returnUrl, isForStaff }: NewReturnUrl,
): Promise<boolean> {
  const column = isForStaff ? query`staff_return_url` : query`return_url`
  const { count } = await query`
    update tenants set ${column} = ${returnUrl} where id = ${tenantId}
  `
  return count === 1
}

/** False if there is no such tenant. */
export async function updateStaffReview(
  query: Query,
  tenantId: string,
  may: readonly ViewerAbility[],
): Promise<boolean> {
  const { count } = await query`
    update tenants set staff_review = ${[...may]} where id = ${tenantId}
  `
  return count === 1
}

/** Null fields stay. False if there is no such tenant. */
export async function updateBranding(
  query: Query,
  tenantId: string,
  { brandName, brandLogo, brandColor, helpContact }: BrandSettings,
): Promise<boolean> {
  const { count } = await query`
    update tenants
       set brand_name   = coalesce(${brandName}::text, brand_name),
           brand_logo   = coalesce(${brandLogo}::text, brand_logo),
           brand_color  = coalesce(${brandColor}::text, brand_color),
           help_contact = coalesce(${helpContact}::text, help_contact)
     where id = ${tenantId}
  `
  return count === 1
}

/** False when there is no such tenant. */
export async function clearBranding(query: Query, tenantId: string): Promise<boolean> {
  const { count } = await query`
    update tenants
       set brand_name = null, brand_logo = null, brand_color = null, help_contact = null
     where id = ${tenantId}
  `
  return count === 1
}

export async function upsertConsentText(
  query: Query,
  tenantId: string,
  text: ConsentText,
): Promise<void> {
  const { language, version, company, purpose, retention, contact } = text
  await query`
    with kept as (
      insert into consent_versions (tenant_id, version) values (${tenantId}, ${version})
      on conflict do nothing
    )
    insert into consent_texts (tenant_id, language, version, company, purpose, retention, contact)
    values (${tenantId}, ${language}, ${version}, ${company}, ${purpose}, ${retention}, ${contact})
    on conflict (tenant_id, language) do update
       set version = excluded.version, company = excluded.company, purpose = excluded.purpose,
           retention = excluded.retention, contact = excluded.contact,
           updated_at = clock_timestamp()
  `
}

/** True for a version of a text that the tenant has or had, in any language. */
export async function hasConsentVersion(
  query: Query,
  { tenantId, version }: { tenantId: string; version: string },
): Promise<boolean> {
  const rows = await query`
    select 1 from consent_versions where tenant_id = ${tenantId} and version = ${version}
  `
  return rows.length > 0
}
