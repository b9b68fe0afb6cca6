import type { ChatMessageBody } from '@interview-room/contract/chat.ts'

/** A message with its turn. Messages of the same time are sorted by arrival. */
export interface PlacedMessage {
  message: ChatMessageBody
  turn: number
}

/** Merges messages by time and turn, each one once. A known message keeps its turn and takes the new content. */
export function merged(
  known: readonly PlacedMessage[],
  more: readonly PlacedMessage[],
): PlacedMessage[] {
  const byId = new Map(known.map((each) => [each.message.id, each]))
  for (const { message, turn } of more) {
    byId.set(message.id, { message, turn: byId.get(message.id)?.turn ?? turn })
  }
  return [...byId.values()].toSorted(byTime)
}

function byTime(one: PlacedMessage, other: PlacedMessage): number {
  const apartMs = Date.parse(one.message.created_at) - Date.parse(other.message.created_at)
  return apartMs === 0 ? one.turn - other.turn : apartMs
}
