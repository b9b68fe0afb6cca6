import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import type { SendMessage } from '@interview-room/contract/live-chat.ts'
import { createStreamCursors } from '@interview-room/server/src/domain/room-log/stream-cursor.ts'
import { createSecretBox } from '@interview-room/server/src/platform/lib/secret-box.ts'
import { bodyOf, serveRaw } from '../raw-http.ts'
import { SENDER } from './sender.ts'

/**
 * The floor of the live stream: `node:http` that writes each posted message to every reader. It has no database, no
 * admission and no log. Its bytes on the wire are exactly as many as the service's.
 */
const readers = new Set<ServerResponse>()
const participantId = randomUUID()
const cursor = createStreamCursors(createSecretBox(randomBytes(32))).seal(randomUUID(), 1n)

async function publish(request: IncomingMessage): Promise<ChatMessageBody> {
  const sent = JSON.parse(await bodyOf(request)) as SendMessage
  const message: ChatMessageBody = {
    id: sent.id,
    visibility: sent.visibility,
    participant_id: participantId,
    sender_name: SENDER,
    content_type: sent.content_type,
    text: sent.text ?? null,
    attachment: null,
    created_at: new Date().toISOString(),
  }
  const event = Buffer.from(
    `event: message\nid: ${cursor}\ndata: ${JSON.stringify(message)}\n\n`,
    'utf8',
  )
  for (const reader of readers) reader.write(event)
  return message
}

function listen(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' })
  response.write(': open\n\n')
  readers.add(response)
  response.once('close', () => readers.delete(response))
}

serveRaw(publish, (request, response) => {
  if (request.method !== 'GET') return false
  listen(response)
  return true
})
