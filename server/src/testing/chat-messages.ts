import { randomUUID } from 'node:crypto'
import type { ChatContentType, Visibility } from '@interview-room/contract/vocabulary.ts'
import { nextRoomMoment } from '../domain/room-log/room-clock.ts'
import { queueForRoom } from '../domain/room-log/room-lock.ts'
import { inTransaction, type Tx } from '../platform/db/db.ts'
import type { ControlPlane } from './control-plane.ts'

interface TestMessage {
  visibility?: Visibility
  contentType?: ChatContentType
  text?: string | null
  attachment?: { key: string; name: string; mime: string; size: number }
}

export interface TestChat {
  /** Writes a message as a sender's transaction does: under the room's shared lock, at its moment. */
  send(tx: Tx, roomId: string, message?: TestMessage): Promise<string>
  addMessage(roomId: string, message?: TestMessage): Promise<string>
  /** A message with a file, and its object in the storage. */
  addFile(roomId: string, mime: string): Promise<{ id: string; key: string }>
  /** The messages that the tenant is shown. */
  listIds(roomId: string, query?: string): Promise<string[]>
}

/** The chat of the plane's tenant. */
export function createTestChat(plane: ControlPlane): TestChat {
  const chat: TestChat = {
    async send(tx, roomId, message = {}) {
      const { visibility = 'public', contentType = 'text', text = 'こんにちは' } = message
      const { key = null, name = null, mime = null, size = null } = message.attachment ?? {}
      const id = randomUUID()
      const locked = await queueForRoom(tx, roomId, 'shared')
      await tx`select 1 from rooms where id = ${roomId} for share`
      const { seq, at } = await nextRoomMoment(tx, locked)
      await tx`
        insert into chat_messages (room_id, id, tenant_id, seq, visibility, sender_name,
                                   content_type, text, attachment_key, attachment_name,
                                   attachment_mime, attachment_size, created_at)
        values (${roomId}, ${id}, ${plane.tenant.tenantId}, ${seq}, ${visibility}, '花子',
                ${contentType}, ${text}, ${key}, ${name}, ${mime}, ${size}, ${at})
      `
      return id
    },

    addMessage: (roomId, message) =>
      inTransaction(plane.database.db, (tx) => chat.send(tx, roomId, message)),

    async addFile(roomId, mime) {
      const key = `${plane.tenant.tenantId}/chat/${randomUUID()}`
      plane.storage.objects.set(key, { body: Buffer.from('file'), mime })
      const attachment = { key, name: '履歴書.pdf', mime, size: 4 }
      const id = await chat.addMessage(roomId, { contentType: 'file', text: null, attachment })
      return { id, key }
    },

    async listIds(roomId, query = '') {
      const { data } = await plane.tenant.get(`/rooms/${roomId}/chat-messages${query}`)
      return data.items.map((message: { id: string }) => message.id)
    },
  }
  return chat
}
