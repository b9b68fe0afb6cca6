import type { Service } from './service.ts'
import type { Room } from './tenant.ts'

export interface Handout {
  kind: 'image' | 'video'
  name: string
  title?: string
  content: Buffer
}

/** Registers a file with the session of a room, as a tenant's backend does. */
export async function registerHandout(
  { local }: Service,
  room: Room,
  { kind, name, title, content }: Handout,
): Promise<void> {
  const body = new FormData()
  body.set('content_type', kind)
  if (title !== undefined) body.set('title', title)
  body.set('file', new Blob([new Uint8Array(content)]), name)
  const answer = await fetch(`${local.base_url}/api/v1/sessions/${room.session.id}/handouts`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${local.api_key}` },
    body,
    signal: AbortSignal.timeout(60_000),
  })
  if (answer.status !== 201) throw new Error(`the handout was answered ${answer.status}`)
}
