import { randomUUID } from 'node:crypto'
import type { SendMessage } from '@interview-room/contract/live-chat.ts'

/** A public message that repeats this character. */
export function newMessage([character, times]: readonly [string, number]): SendMessage {
  const text = character.repeat(times)
  return { id: randomUUID(), visibility: 'public', content_type: 'text', text }
}
