import { randomUUID } from 'node:crypto'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { takeSimulated } from '../../domain/notifications/take-notification.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { connect, disconnect } from '../../platform/sandbox/simulated-people.ts'
import { createTenant } from '../../platform/tenants/create-tenant.ts'
import { issueApiKey } from '../../platform/tenants/issue-api-key.ts'
import { setEndpoint } from '../../platform/webhooks/set-endpoint.ts'
import { type ActingTenant, createActingTenant } from '../acting-tenant.ts'
import { waitFor } from '../wait-for.ts'
import { type Answer, ask, askTwice, type Asker } from './ask.ts'
import { limitRooms } from './facts.ts'
import { ROOMS_MAX, type Scene } from './model.ts'
import { type Act, minutesOf } from './steps.ts'
import type { Inbox, World } from './world.ts'

/** The rooms and sessions of a history's tenant, under the names of the model. */
export interface Player extends Asker {
  world: World
  tenantId: string
  acting: ActingTenant
  inbox: Inbox
  rooms: Map<string, { roomId: string; sessionId: string; externalId: string }>
  /** The tickets of each person in each room: `room person`. */
  tickets: Map<string, { ticket: string; participantId: string; role: Role; room: string }>
  messages: Map<string, string>
  /** Media sids of all connections that were made. */
  connections: string[]
}

export async function createPlayer(world: World): Promise<Player> {
  const { db, deps } = world
  const { id: tenantId } = await createTenant(db, { name: 'History', isSandbox: true })
  const scopes = ['control', 'manage'] as const
  const { apiKey } = await issueApiKey(db, { tenantId, note: null, scopes: [...scopes] })
  await limitRooms(db, { tenantId, roomsMax: ROOMS_MAX })
  const inbox: Inbox = { secret: '', arrivals: [], wrong: [], refusing: 0 }
  world.inboxes.set(tenantId, inbox)
  const endpoint = await setEndpoint(deps, { tenantId, url: `${world.receiverUrl}/${tenantId}` })
  inbox.secret = endpoint.secret ?? ''
  return {
    world,
    tenantId,
    authorization: `ApiKey ${apiKey}`,
    acting: await createActingTenant(deps, tenantId),
    inbox,
    rooms: new Map(),
    tickets: new Map(),
    messages: new Map(),
    connections: [],
    repeated: 0,
    problems: [],
  }
}

/** Does what the act says, at the API and at the simulated provider. */
export async function play(player: Player, { act, name, ...scene }: Scene): Promise<Answer> {
  if (act.do === 'book') return bookRoom(player, act, { name, twin: scene.twin })
  if (act.do === 'pass') throw new Error('time passes elsewhere')
  const room = scene.room ?? ''
  const { roomId, sessionId } = player.rooms.get(room) ?? { roomId: '', sessionId: '' }
  switch (act.do) {
    case 'move':
      return ask(player, `/sessions/${sessionId}`, { method: 'PATCH', body: timesOf(act.slot) })
    case 'enter':
      return enterRoom(player, act, room)
    case 'leave':
      return leaveRoom(player, room, act.person)
    case 'answer':
    case 'hand': {
      const type = act.do === 'hand' ? act.type : `consent.${act.consent}`
      return askInside(player, { room, person: act.person }, '/events', { event_type: type })
    }
    case 'say':
      return sayIn(player, room, { ...act, name })
    case 'read':
      return askInside(player, { room, person: act.person }, '/messages?limit=100')
    case 'record':
      return askInside(player, { room, person: act.person }, `/recording/${act.command}`, {})
    case 'ban': {
      const { participantId = randomUUID() } = player.tickets.get(`${room} ${act.person}`) ?? {}
      const path = `/rooms/${roomId}/participants/${participantId}/ban`
      return askTwice(player, path, { body: { reason: 'disturbs' } })
    }
    case 'close':
      return ask(player, `/rooms/${roomId}/close`, { method: 'POST', body: { reason: 'over' } })
    case 'close inside':
      return askInside(player, { room, person: act.person }, '/close', {})
    case 'cancel':
      return ask(player, `/sessions/${sessionId}`, { method: 'DELETE' })
    case 'purge': {
      const query = act.visibility === null ? '' : `?visibility=${act.visibility}`
      return askTwice(player, `/rooms/${roomId}/chat-messages${query}`, { method: 'DELETE' })
    }
    case 'make':
      return makeOf(player, roomId, act.what)
    case 'remove':
      break
  }
  return removeOf(player, roomId, act.what)
}

function timesOf(slot: Parameters<typeof minutesOf>[0]): { starts_at: string; ends_at: string } {
  const [starts_at = '', ends_at = ''] = minutesOf(slot).map((minutes) =>
    new Date(Date.now() + minutes * 60_000).toISOString(),
  )
  return { starts_at, ends_at }
}

async function bookRoom(
  player: Player,
  { slot, archive }: Extract<Act, { do: 'book' }>,
  { name, twin }: { name: string; twin?: string | undefined },
): Promise<Answer> {
  const externalId = player.rooms.get(twin ?? '')?.externalId ?? `slot-${name}`
  const session = { external_type: 'Slot', external_id: externalId, ...timesOf(slot) }
  const body = { kind: 'interview', archive_mode: archive, session }
  const answer = await askTwice(player, '/rooms', { body })
  if (answer.status === 201) {
    const { id: roomId, session: made } = answer.data
    player.rooms.set(name, { roomId, sessionId: made.id, externalId })
  }
  return answer
}

interface Who {
  room: string
  person: number
}

async function askInside(
  player: Player,
  { room, person }: Who,
  path: string,
  body?: object,
): Promise<Answer> {
  const roomId = player.rooms.get(room)?.roomId
  const { ticket = '' } = player.tickets.get(`${room} ${person}`) ?? {}
  const method = body === undefined ? 'GET' : 'POST'
  const request = { method, bearer: ticket, ...(body !== undefined && { body }) } as const
  return ask(player, `/rooms/${roomId}/live${path}`, request)
}

/** The name of observers is found in no answer to a respondent. Operators may write to everybody. */
export const HIDDEN_NAME = 'Hidden watcher'

/** Enters as a page does: admission, consent, media connection, and the report of it. */
async function enterRoom(
  player: Player,
  { person, role, consent }: Extract<Act, { do: 'enter' }>,
  room: string,
): Promise<Answer> {
  const roomId = player.rooms.get(room)?.roomId ?? ''
  const participant = { external_type: 'User', external_id: personId(player, person) }
  const name = role === 'observer' ? HIDDEN_NAME : `Person ${person}`
  const token = await player.acting.signToken({ roomId, role, participant, name })
  const entryPath = `/rooms/${roomId}/live/entry`
  const admitted = await ask(player, entryPath, { method: 'POST', bearer: token })
  if (admitted.status !== 201) return admitted
  const { ticket, participant: made, consents } = admitted.data
  player.tickets.set(`${room} ${person}`, { ticket, participantId: made.id, role, room })
  if (consents.recording === 'pending' && consent !== null) {
    await askInside(player, { room, person }, '/events', { event_type: `consent.${consent}` })
  }
  const isPublishing = role === 'moderator' || role === 'panelist'
  const connecting = { mediaRoom: roomId, identity: made.id, isPublishing }
  const mediaSid = await connectMedia(player, connecting).catch(async () => {
    // The media room was made anew since the entry. A page renews its ticket then, which waits for it.
    await askInside(player, { room, person }, '/ticket', {})
    return connectMedia(player, connecting)
  })
  player.connections.push(mediaSid)
  // Every other page reports nothing, so that the notification or the reconciler has to.
  if (person % 2 === 0) {
    await askInside(player, { room, person }, '/connected', { media_sid: mediaSid })
  }
  return admitted
}

async function connectMedia(
  { world: { db } }: Player,
  who: { mediaRoom: string; identity: string; isPublishing: boolean },
): Promise<string> {
  const connection = { ...who, joinedAt: new Date(), notify: takeSimulated }
  return inTransaction(db, (tx) => connect(tx, connection))
}

export function personId({ tenantId }: Pick<Player, 'tenantId'>, person: number): string {
  return `person-${tenantId}-${person}`
}

async function leaveRoom(player: Player, room: string, person: number): Promise<Answer> {
  const mediaRoom = player.rooms.get(room)?.roomId ?? ''
  const { participantId = '' } = player.tickets.get(`${room} ${person}`) ?? {}
  const whose = { mediaRoom, identity: participantId }
  await inTransaction(player.world.db, (tx) => disconnect(tx, whose, takeSimulated))
  return { status: 200, code: undefined, data: {}, text: '', isReplayed: false, attempts: 1 }
}

async function sayIn(
  player: Player,
  room: string,
  { name, person, visibility }: Extract<Act, { do: 'say' }> & { name: string },
): Promise<Answer> {
  const id = randomUUID()
  const body = { id, visibility, content_type: 'text', text: `said ${name}` }
  const answer = await askInside(player, { room, person }, '/messages', body)
  player.messages.set(name, id)
  // 200 is the answer to a repeat.
  return answer.status === 200 ? { ...answer, status: 201 } : answer
}

async function newestRecording(player: Player, roomId: string) {
  let newest: { id: string; status: string; duration_sec: number } | undefined
  await waitFor(async () => {
    const { data } = await ask(player, `/rooms/${roomId}/recordings?limit=100`)
    newest = data.items.at(-1)
    return newest?.status === 'available' || newest?.status === 'failed'
  })
  if (newest === undefined) throw new Error('the room has no recording')
  return newest
}

async function makeOf(
  player: Player,
  roomId: string,
  what: 'trim' | 'clip' | 'transcription' | 'download',
): Promise<Answer> {
  const { id, duration_sec: lengthSec } = await newestRecording(player, roomId)
  const half = Math.max(0.01, Math.floor(lengthSec * 500) / 1000)
  const path = `/recordings/${id}`
  switch (what) {
    case 'trim': {
      const body = { source: 'trim', trim_start_sec: 0, trim_end_sec: half }
      return askTwice(player, `${path}/processed-recording`, { body })
    }
    case 'clip': {
      const body = { start_sec: 0, end_sec: half, title: 'Half' }
      return askTwice(player, `${path}/clips`, { body })
    }
    case 'transcription':
      await transcribed(player, path)
      return askTwice(player, `${path}/transcriptions`, { body: { language: 'en-US' } })
    case 'download':
      break
  }
  return ask(player, `${path}/download-url`)
}

/** One transcription in a language is made at a time. */
async function transcribed(player: Player, path: string): Promise<void> {
  await waitFor(async () => {
    const { data } = await ask(player, `${path}/transcriptions?limit=100`)
    return data.items.every(({ status }: { status: string }) => status === 'done')
  })
}

async function removeOf(
  player: Player,
  roomId: string,
  what: 'recording' | 'trim',
): Promise<Answer> {
  const { id } = await newestRecording(player, roomId)
  const path = `/recordings/${id}`
  if (what === 'recording') return askTwice(player, path, { method: 'DELETE' })
  let answer: Answer | undefined
  // Refused while it is made.
  await waitFor(async () => {
    answer = await ask(player, `${path}/processed-recording`, { method: 'DELETE' })
    return answer.status === 204
  })
  if (answer === undefined) throw new Error('never asked')
  return answer
}
