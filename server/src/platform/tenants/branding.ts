import type { BrandingBody } from '@interview-room/contract/branding.ts'
import { PLAIN } from '@interview-room/contract/envelope.ts'
import type { Query } from '../db/db.ts'
import { isCompleteImage } from '../images/complete-image.ts'
import { brandPalettesOf } from './brand-palette.ts'
import { type BrandSettings, clearBranding, updateBranding } from './consent-settings-store.ts'
import { UnknownTenantError } from './manage-tenants.ts'

const TEXT_MAX = 120
/** Every page gets the logo as a data URL. */
export const LOGO_MAX_BYTES = 32_000

/** Thrown for a value that cannot be set; the message says why. */
export class BrandingError extends Error {
  override name = 'BrandingError'
}

/** The fields to change; undefined ones stay. */
export interface BrandingChange {
  name?: string | undefined
  /** Bytes of an image. */
  logo?: Buffer | undefined
  /** `#rrggbb`. */
  color?: string | undefined
  helpContact?: string | undefined
}

/** Throws BrandingError, UnknownTenantError. */
export async function setBranding(
  query: Query,
  tenantId: string,
  { name, logo, color, helpContact }: BrandingChange,
): Promise<void> {
  const change = {
    brandName: name === undefined ? null : readLine('name', name),
    brandLogo: logo === undefined ? null : readLogo(logo),
    brandColor: color === undefined ? null : readColor(color),
    helpContact: helpContact === undefined ? null : readLine('help-contact', helpContact),
  }
  if (!(await updateBranding(query, tenantId, change))) throw unknown(tenantId)
}

/** Restores the service's own look. Throws UnknownTenantError. */
export async function resetBranding(query: Query, tenantId: string): Promise<void> {
  if (!(await clearBranding(query, tenantId))) throw unknown(tenantId)
}

/** Branding as pages get it. */
export function presentBranding({
  brandName,
  brandLogo,
  brandColor,
  helpContact,
}: BrandSettings): BrandingBody {
  return {
    name: brandName,
    logo_url: brandLogo,
    palette: brandColor === null ? null : brandPalettesOf(brandColor),
    help_contact: helpContact,
  }
}

function readLine(field: string, text: string): string {
  const given = text.normalize('NFC').trim()
  if (given === '' || Array.from(given).length > TEXT_MAX || !new RegExp(PLAIN).test(given)) {
    throw new BrandingError(`${field} must be one line of 1 to ${TEXT_MAX} characters`)
  }
  return given
}

function readColor(text: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(text)) throw new BrandingError('color must be such as #0b6e69')
  return text.toLowerCase()
}

const SIGNATURES = [
  { type: 'image/png', isIn: (bytes: Buffer) => bytes.readUInt32BE(0) === 0x89_50_4e_47 },
  { type: 'image/jpeg', isIn: (bytes: Buffer) => bytes.readUIntBE(0, 3) === 0xff_d8_ff },
  { type: 'image/webp', isIn: (bytes: Buffer) => /^RIFF.{4}WEBP/s.test(bytes.toString('latin1')) },
] as const

function readLogo(bytes: Buffer): string {
  if (bytes.length > LOGO_MAX_BYTES) {
    throw new BrandingError(`logo must have at most ${LOGO_MAX_BYTES} bytes`)
  }
  const found = bytes.length < 12 ? undefined : SIGNATURES.find(({ isIn }) => isIn(bytes))
  if (found === undefined || !isCompleteImage(bytes, found.type)) {
    throw new BrandingError('logo must be a complete PNG, JPEG or WebP image')
  }
  return `data:${found.type};base64,${bytes.toString('base64')}`
}

function unknown(tenantId: string): UnknownTenantError {
  return new UnknownTenantError(`there is no tenant ${tenantId}`)
}
