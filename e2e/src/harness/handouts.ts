import type { Locator, Page } from 'playwright-core'
import { openPanel, toolButton } from './room-page.ts'
import type { Service } from './service.ts'
import type { Room } from './tenant.ts'
import { SOON_MS } from './wait.ts'
import { toolsText } from './words.ts'

export interface Handout {
  kind: 'image' | 'video'
  name: string
  title?: string
  content: Buffer
}

/** Registers a file with the session of a room, as a tenant's backend does. Answers its id. */
export async function registerHandout(
  { local }: Service,
  room: Room,
  { kind, name, title, content }: Handout,
): Promise<string> {
  const body = new FormData()
  body.set('content_type', kind)
  if (title !== undefined) body.set('title', title)
  body.set('file', new Blob([new Uint8Array(content)]), name)
  const answer = await fetch(`${local.base_url}/api/v1/sessions/${room.session.id}/handouts`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${local.api_key}` },
    body,
    signal: AbortSignal.timeout(SOON_MS),
  })
  if (answer.status !== 201) throw new Error(`the handout was answered ${answer.status}`)
  return ((await answer.json()) as { data: { id: string } }).data.id
}

/** An image of one colour, as a BMP. */
export function imageOf({ r, g, b }: Record<'r' | 'g' | 'b', number>): Buffer {
  const [width, height, headBytes] = [64, 48, 54]
  const head = Buffer.alloc(headBytes)
  head.write('BM', 0, 'latin1')
  head.writeUInt32LE(headBytes + width * height * 3, 2)
  head.writeUInt32LE(headBytes, 10)
  head.writeUInt32LE(headBytes - 14, 14)
  head.writeInt32LE(width, 18)
  head.writeInt32LE(height, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(24, 28)
  head.writeUInt32LE(width * height * 3, 34)
  return Buffer.concat([head, Buffer.alloc(width * height * 3, Buffer.from([b, g, r]))])
}

/** Chooses a PDF of a moderator's machine, and returns the dialog that adds its pages. */
export async function choosePdf(page: Page, buffer: Buffer): Promise<Locator> {
  await openPanel(page, 'handouts')
  const chooser = page.waitForEvent('filechooser')
  await toolButton(page, (t) => t.handout.add).click()
  const name = 'concept.pdf'
  await (await chooser).setFiles({ name, mimeType: 'application/pdf', buffer })
  return page.getByRole('dialog', { name: toolsText((t) => t.handout.addTitle) })
}
