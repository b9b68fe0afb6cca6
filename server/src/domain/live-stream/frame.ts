import type { Told } from '../room-log/live-event.ts'

/** An event as it goes over the line; `place` is where to resume behind it. */
export function frameOf({ name, data }: Told, place?: string): Buffer {
  const id = place === undefined ? '' : `id: ${place}\n`
  return Buffer.from(`event: ${name}\n${id}data: ${JSON.stringify(data)}\n\n`)
}
