import { randomUUID } from 'node:crypto'
import type { SentContentType } from '@interview-room/contract/live-chat.ts'
import type { Role, Visibility } from '@interview-room/contract/vocabulary.ts'
import type { FakeStorage } from './fake-storage.ts'
import type { Guest, LiveReader } from './live-room.ts'
import type { Answer } from './tenant-client.ts'

/** The table "Chat" of the decisions, row by row. It is repeated here so that the product's table is checked. */
export const MAY_SEND: Record<Visibility, readonly Role[]> = {
  public: ['moderator', 'panelist', 'platform_observer'],
  private: ['moderator', 'observer', 'platform_observer'],
  observer_only: ['observer', 'platform_observer'],
}
export const RECEIVE: Record<Visibility, readonly Role[]> = {
  public: ['moderator', 'panelist', 'observer', 'platform_observer'],
  private: ['moderator', 'observer', 'platform_observer'],
  observer_only: ['observer', 'platform_observer'],
}

/** "Stamps" of the contract, row by row. */
export const STAMPS: readonly (readonly [Visibility, readonly Role[], readonly string[]])[] = [
  ['private', ['moderator'], ['ok', 'ask_later', 'anything_else']],
  ['private', ['platform_observer'], ['guide', 'call', 'please_wait', 'reload']],
  ['observer_only', ['observer', 'platform_observer'], ['nice', 'ok', 'i_see', 'a_lot']],
  ['public', ['platform_observer'], ['please_reload', 'calling']],
]

export interface Said {
  id: string
  visibility: Visibility
  content_type: SentContentType
  text?: string
  attachment_id?: string
}

/** The body of a message: a public text by default. */
export function said(message: Partial<Said> = {}): Said {
  const text = message.content_type === 'file' ? {} : { text: 'こんにちは' }
  return { id: randomUUID(), visibility: 'public', content_type: 'text', ...text, ...message }
}

export const say = (guest: Guest, message: Partial<Said> = {}): Promise<Answer> =>
  guest.post('/messages', said(message))

export const PDF = Buffer.from('%PDF-1.7\n')

export interface TestFile {
  name?: string
  mime?: string
  body?: Buffer
  visibility?: Visibility
}

/** The key of the object that a signed address of the storage in memory leads to. */
export const keyOf = (url: string): string => new URL(url).pathname.slice(1)

/** Requests an upload and puts the file there; returns the id for the message. */
export async function upload(
  guest: Guest,
  storage: FakeStorage,
  {
    name = '履歴書.pdf',
    mime = 'application/pdf',
    body = PDF,
    visibility = 'public',
  }: TestFile = {},
): Promise<{ attachmentId: string; key: string }> {
  const answer = await guest.post('/attachments', { name, mime, size: body.length, visibility })
  if (answer.status !== 201) throw new Error(answer.text)
  const key = keyOf(answer.data.upload.url)
  storage.objects.set(key, { body, mime })
  return { attachmentId: answer.data.id, key }
}

/** Ids of the messages that a stream has received so far, in order. */
export const heard = ({ events }: LiveReader): string[] =>
  events.filter(({ name }) => name === 'message').map(({ data }) => data.id)
