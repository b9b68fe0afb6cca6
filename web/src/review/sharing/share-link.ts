import type { OpenedShareBody } from '@interview-room/contract/shares.ts'
import { callService } from '../../live/send-request.ts'
import { type OpenedPage, takeParameters } from '../../live/tab-storage.ts'

const KEY = 'interview-room.share'

/** The questions of a link before it opens. */
interface Questions {
  password: boolean
  name: boolean
}

/** A link to a recording or a clip, as the address has it. */
export interface ShareLink {
  id: string
  token: string
  asks: Questions
}

/** Reads the link once and takes the token out of the address bar. Null if the address and this tab have none. */
export function takeShareLink(page: OpenedPage): ShareLink | null {
  const { pathname, hash } = page.location
  const [, id = ''] = /^\/s\/([^/]+)/.exec(pathname) ?? []
  const asked = new URLSearchParams(hash.slice(1)).get('asks')
  const token = takeParameters(page)?.get('token') ?? null
  const key = `${KEY}.${id}`
  if (token !== null) page.storage.setItem(key, JSON.stringify([token, asked ?? '']))
  const stored = page.storage.getItem(key)
  if (stored === null) return null
  const [kept = '', questions = ''] = JSON.parse(stored) as string[]
  const words = questions.split(',')
  return {
    id,
    token: kept,
    asks: { password: words.includes('password'), name: words.includes('name') },
  }
}

/** The result of an attempt to open a link. */
export type Opening =
  | { state: 'open'; share: OpenedShareBody }
  | { state: 'asking'; problem: 'missing' | 'wrong' }
  | { state: 'ended' | 'offline' | 'tooFast' }

/** Opens a link. Never throws. */
export async function openShare(
  { id, token }: ShareLink,
  answers: { password?: string; name?: string },
): Promise<Opening> {
  const answer = await callService<OpenedShareBody>(`/api/v1/shares/${id}/open`, {
    method: 'POST',
    authorization: `Bearer ${token}`,
    body: answers,
  })
  if (answer.ok) return { state: 'open', share: answer.data }
  if (answer.code === 'VALIDATION_ERROR') {
    const isMissing = answer.details.some(({ code }) => code === 'REQUIRED')
    return { state: 'asking', problem: isMissing ? 'missing' : 'wrong' }
  }
  if (answer.code === 'RATE_LIMIT_EXCEEDED') return { state: 'tooFast' }
  return {
    state: answer.code === 'UNAUTHORIZED' || answer.code === 'NOT_FOUND' ? 'ended' : 'offline',
  }
}
