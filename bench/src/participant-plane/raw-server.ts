import type { IncomingMessage } from 'node:http'
import type { SendMessage } from '@interview-room/contract/live-chat.ts'
import { insertMessage } from '@interview-room/server/src/domain/chat/store.ts'
import { admitParticipant } from '@interview-room/server/src/domain/people/admit.ts'
import { deviceOf } from '@interview-room/server/src/domain/people/device.ts'
import { openDb, type Tx } from '@interview-room/server/src/platform/db/db.ts'
import { bodyOf, serveRaw } from '../raw-http.ts'

/** The settings of `POST /messages` and `POST /entries` of this server. */
export interface RawSettings {
  databaseUrl: string
  tenantId: string
}

/** The claims of a verified token, sent as they are. */
export interface RawEntry {
  roomId: string
  externalId: string
}

/**
 * The floor of the participant plane: `node:http` around the service's own statements. A message is written by
 * one statement, without a transaction around it; an entry by the service's transaction. No token, no ticket, no
 * rate limit, no log.
 */
const { databaseUrl, tenantId } = JSON.parse(process.env['RAW_SETTINGS'] ?? '') as RawSettings
const POOL_SIZE = 16
const db = openDb({ url: databaseUrl, poolSize: POOL_SIZE, applicationName: 'bench-raw' })
// One statement is a transaction of its own.
const alone = db as unknown as Tx
const ENTRY = { origin: { device: deviceOf(undefined), ipAddress: null }, alsoRead: async () => {} }

async function send(roomId: string, sent: SendMessage): Promise<unknown> {
  const message = {
    id: sent.id,
    visibility: sent.visibility,
    participantId: null,
    senderName: 'Raw',
    contentType: sent.content_type,
    text: sent.text ?? null,
    attachment: null,
  }
  const by = { tenantId, roomId, mediaIdentity: 'raw', attachmentId: null, receivers: [] }
  const written = await insertMessage(alone, message, by)
  return { ...message, createdAt: written?.createdAt }
}

async function enter({ roomId, externalId }: RawEntry): Promise<unknown> {
  const claims = {
    tenantId,
    roomId,
    role: 'panelist',
    displayName: 'Raw',
    jti: null,
    identity: { kind: 'external', externalType: 'User', externalId },
  } as const
  const { admission } = await admitParticipant({ db, clock: () => new Date() }, claims, ENTRY)
  return admission
}

async function answer(request: IncomingMessage): Promise<unknown> {
  const body = JSON.parse(await bodyOf(request))
  const [, what, roomId = ''] = (request.url ?? '').split('/')
  return what === 'messages' ? send(roomId, body as SendMessage) : enter(body as RawEntry)
}

serveRaw(answer)
