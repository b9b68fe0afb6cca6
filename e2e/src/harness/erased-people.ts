import { randomUUID } from 'node:crypto'
import type { AttachmentBody } from '@interview-room/contract/live-chat.ts'
import { expect } from 'vitest'
import type { ApiParticipant } from './api-participant.ts'

/** Everything that the person writes or says contains the `word`. */
export interface Subject {
  externalId: string
  name: string
  word: string
}

export const DELETED: Subject = {
  externalId: 'hanako@erased.example',
  name: 'Hanako Erasemori',
  word: 'mizuiro',
}
export const KEPT: Subject = {
  externalId: 'yuki@kept.example',
  name: 'Yuki Keepersen',
  word: 'yamabuki',
}
export const SIMULATED: Subject = {
  externalId: 'ren@simulated.example',
  name: 'Ren Simulson',
  word: 'moegi',
}
export const STAYING: Subject = {
  externalId: 'taro@staying.example',
  name: 'Taro Staykawa',
  word: 'momoiro',
}
export const textsOf = (person: Subject) => Object.values(person)

/** The text that the engine hears in every recording. */
export const HEARD = `printf '[00:00:00.500 --> 00:00:02.000] ${DELETED.word}, ${KEPT.word}\\n'`

export const referenceTo = ({ externalId }: Subject) => ({
  external_type: 'User',
  external_id: externalId,
})

export async function talk(who: ApiParticipant, { name, word }: Subject): Promise<void> {
  const message = { id: randomUUID(), visibility: 'public', content_type: 'text' }
  await who.post('/messages', { ...message, text: `I like ${word}` })
  const content = `${name} writes ${word}`
  const place = {
    name: `${word}.txt`,
    mime: 'text/plain',
    size: content.length,
    visibility: 'public',
  }
  const { id, upload } = await who.post<AttachmentBody>('/attachments', place)
  const headers = { 'content-type': place.mime }
  const stored = await fetch(upload.url, { method: 'PUT', headers, body: content })
  expect(stored.ok).toBe(true)
  const file = { id: randomUUID(), visibility: 'public', content_type: 'file' }
  await who.post('/messages', { ...file, attachment_id: id })
}
