import type { PublishedEvent } from '../room-log/live-event.ts'

/** An event in the SSE format; `cursor` is where to resume after it. */
export function frameOf({ name, data }: PublishedEvent, cursor?: string): Buffer {
  const id = cursor === undefined ? '' : `id: ${cursor}\n`
  return Buffer.from(`event: ${name}\n${id}data: ${JSON.stringify(data)}\n\n`)
}
