import type { Deps } from '../ports/deps.ts'
import { UnknownTenantError } from './manage-tenants.ts'
import {
  findFrameAncestorsOfRoom,
  findFrameAncestorsOfTest,
  updateFrameAncestors,
} from './store.ts'

/** As many origins as fit into a header with the rest of the page's policy. */
const ORIGINS_MAX = 20
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1'])

/** Thrown for a list that is not allowed; the message names the reason. */
export class FrameAncestorsError extends Error {
  override name = 'FrameAncestorsError'
}

/**
 * Sets the origins whose pages may frame the tenant's rooms: https, or this machine; at most 20. Returns them with the ones that
 * they replace. Throws FrameAncestorsError, UnknownTenantError.
 */
export async function setFrameAncestors(
  { db }: Pick<Deps, 'db'>,
  { tenantId, origins }: { tenantId: string; origins: readonly string[] },
): Promise<{ origins: string[]; replaced: string[] }> {
  if (origins.length > ORIGINS_MAX) {
    throw new FrameAncestorsError(`at most ${ORIGINS_MAX} origins are allowed`)
  }
  const checked = [...new Set(origins.map((origin) => readOrigin(origin)))]
  const replaced = await updateFrameAncestors(db, { tenantId, origins: checked })
  if (replaced !== undefined) return { origins: checked, replaced: replaced.before }
  throw new UnknownTenantError(`there is no tenant ${tenantId}`)
}

/** A page that people are sent to, and that the tenant may show in a frame. */
export type FramedPage = { roomId: string } | { connectionTestId: string }

/** The origins that may frame this page; empty if there is no such room or test. */
export async function frameAncestorsOf(
  { db }: Pick<Deps, 'db'>,
  page: FramedPage,
): Promise<string[]> {
  return 'roomId' in page
    ? findFrameAncestorsOfRoom(db, page.roomId)
    : findFrameAncestorsOfTest(db, page.connectionTestId)
}

/**
 * Accepts only an origin: anything else could change the policy around it. In a policy, `https://*` means everybody, and the room
 * posts its messages to no pattern.
 */
function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = url?.protocol === 'http:' && LOCAL_HOSTS.has(url.hostname)
  const isPattern = url?.hostname.includes('*') === true
  const isAllowed = (url?.protocol === 'https:' || isLocal) && !isPattern
  if (url === undefined || !isAllowed || url.origin !== text.replace(/\/$/, '')) {
    throw new FrameAncestorsError(`${text} is no origin such as https://app.example.com`)
  }
  return url.origin
}
