/** A position on a picture, as shares of its width and height from the upper left corner, 0..1. */
export interface Place {
  x: number
  y: number
}

/** `place` is null when the moderator stops pointing. */
export interface PointerMessage {
  handoutId: string
  place: Place | null
}

/** An id and two numbers. A longer message is not from this page. */
const MESSAGE_MAX_BYTES = 200

export function encodePointer({ handoutId, place }: PointerMessage): Uint8Array<ArrayBuffer> {
  const at = place === null ? null : { x: rounded(place.x), y: rounded(place.y) }
  return new TextEncoder().encode(JSON.stringify({ handout_id: handoutId, place: at }))
}

/** Undefined if it is not a valid message. It comes from another machine, so it is checked. */
export function decodePointer(message: Uint8Array): PointerMessage | undefined {
  if (message.byteLength > MESSAGE_MAX_BYTES) return undefined
  try {
    const said: unknown = JSON.parse(new TextDecoder().decode(message))
    const { handout_id: handoutId, place } = said as Record<string, unknown>
    if (typeof handoutId !== 'string') return undefined
    if (place === null) return { handoutId, place }
    const { x, y } = place as Record<string, unknown>
    return isShare(x) && isShare(y) ? { handoutId, place: { x, y } } : undefined
  } catch {
    return undefined
  }
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1
}

/** Rounded to a ten-thousandth, which is finer than a pixel. */
const rounded = (share: number) => Math.round(share * 10_000) / 10_000

/** Moves `place` by shares of the picture, and keeps it inside. */
export function movedBy({ x, y }: Place, right: number, down: number): Place {
  return { x: within(x + right), y: within(y + down) }
}

export const within = (share: number) => Math.min(1, Math.max(0, share))
