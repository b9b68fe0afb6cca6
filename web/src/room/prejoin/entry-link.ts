import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { idIn, type OpenedPage, takeParameters } from '../../live/tab-storage.ts'

/** The data in the link. `role`, `name` and `locale` are not verified, and only choose the page. */
export interface EntryLink {
  roomId: string
  secret: { kind: 'token' | 'access'; value: string } | null
  role: Role
  name: string
  locale: string | null
}

/**
 * Reads the link once and takes the secret out of the address bar. The tab stores it, so that a reload finds it
 * again.
 */
export function takeEntryLink(page: OpenedPage): EntryLink {
  const { location, storage } = page
  const roomId = idIn(location)
  const key = `interview-room.link.${roomId}`
  const brought = takeParameters(page)
  if (brought !== null) storage.setItem(key, brought.toString())

  const params = new URLSearchParams(storage.getItem(key) ?? '')
  const token = params.get('token')
  const accessToken = params.get('access_token')
  const claims = token === null ? {} : claimsOf(token)
  return {
    roomId,
    secret: secretOf(token, accessToken),
    role: ROLES.find((role) => role === claims['role']) ?? 'panelist',
    name: textOf(claims['name']) ?? '',
    locale: params.get('lang') ?? textOf(claims['locale']),
  }
}

function secretOf(token: string | null, accessToken: string | null): EntryLink['secret'] {
  if (token !== null) return { kind: 'token', value: token }
  if (accessToken !== null) return { kind: 'access', value: accessToken }
  return null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function claimsOf(token: string): Record<string, unknown> {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(payload), (letter) => letter.codePointAt(0) ?? 0)
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
  } catch {
    return {}
  }
}
