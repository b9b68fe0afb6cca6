import { randomUUID } from 'node:crypto'
import type { RoomRequest } from '@interview-room/contract/rooms.ts'
import type { RequestParts } from '../http-connection.ts'
import { type BenchTenant, livePath } from '../tenant.ts'
import type { People, Person } from './people.ts'
import { EXTERNAL_TYPE, pickSeed, seedId, seedRef } from './seeds.ts'

const API = '/api/v1'
const HOUR_MS = 3_600_000

export const PLANES = {
  control: ['create room', 'get room', 'list sessions', 'wrong key'],
  participant: ['chat message', 'entry', 'renewed ticket'],
} as const
export type OperationName = (typeof PLANES)[keyof typeof PLANES][number]

/** One request with the values in which it differs from others of its kind. */
interface Asked {
  request: RequestParts
  values: readonly string[]
}

export interface Operation {
  name: OperationName
  status: number
  /** The recorded one; its values are the samples. A new one for each call. */
  sample: () => Asked
  /** Any of its kind. */
  any: () => Asked
}

export function allOperations(tenant: BenchTenant, people: People): Operation[] {
  return [...controlPlane(tenant), ...participantPlane(people)]
}

function controlPlane({ apiKey }: BenchTenant): Operation[] {
  const authorization = `ApiKey ${apiKey}`
  const wrong = `ApiKey ${apiKey.split('.')[0]}.${'x'.repeat(43)}`
  const get = (path: string) => ({ method: 'GET', path, authorization }) as const
  const getRoom = (n: number): Asked => ({
    request: get(`${API}/rooms/${seedId(n)}`),
    values: [seedId(n)],
  })
  const lookUp = (n: number): Asked => ({
    request: get(
      `${API}/sessions?external_type=${EXTERNAL_TYPE}&external_id=${encodeURIComponent(seedRef(n))}`,
    ),
    values: [seedRef(n)],
  })
  const create = (): Asked => ({
    request: { method: 'POST', path: `${API}/rooms`, authorization, body: newRoom() },
    values: [],
  })
  const refused = (): Asked => ({
    request: { ...getRoom(pickSeed()).request, authorization: wrong },
    values: [],
  })
  return [
    { name: 'create room', status: 201, sample: create, any: create },
    {
      name: 'get room',
      status: 200,
      sample: () => getRoom(1),
      any: () => getRoom(pickSeed()),
    },
    {
      name: 'list sessions',
      status: 200,
      sample: () => lookUp(1),
      any: () => lookUp(pickSeed()),
    },
    { name: 'wrong key', status: 401, sample: refused, any: refused },
  ]
}

const post = (path: string, authorization: string, body: unknown) =>
  ({ method: 'POST', path, authorization, body }) as const

const sent = (person: Person): Asked => ({
  request: post(`${livePath(person.roomId)}/messages`, person.ticket, newMessage()),
  values: valuesOf(person),
})

const renewed = (person: Person): Asked => ({
  // As pages do that are connected.
  request: post(`${livePath(person.roomId)}/ticket`, person.ticket, { is_connected: true }),
  values: valuesOf(person),
})

const entered = (person: Person): Asked => ({
  request: post(`${livePath(person.roomId)}/entry`, person.token, {}),
  values: valuesOf(person),
})

function participantPlane(people: People): Operation[] {
  const { samples, moderators, panelists, visitors } = people
  return [
    {
      name: 'chat message',
      status: 201,
      sample: () => sent(samples.moderator),
      any: () => sent(anyOf(moderators)),
    },
    {
      name: 'entry',
      status: 201,
      sample: () => entered(samples.visitor),
      any: () => entered(anyOf(visitors)),
    },
    {
      name: 'renewed ticket',
      status: 201,
      sample: () => renewed(samples.panelist),
      any: () => renewed(anyOf(panelists)),
    },
  ]
}

const anyOf = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T

function valuesOf({ roomId, externalId, participantId, admissionId }: Person): string[] {
  return [roomId, externalId, participantId, admissionId]
}

const newMessage = () => ({
  id: randomUUID(),
  visibility: 'public',
  content_type: 'text',
  text: 'Forty characters, as people write often.',
})

/** A request with every field, as a tenant's backend sends it. */
function newRoom(): RoomRequest {
  const startMs = Date.now() + HOUR_MS
  return {
    kind: 'interview',
    archive_mode: 'always',
    archive_resolution: '1280x720',
    stream_resolution: '640x480',
    stream_frame_rate: 15,
    transcription_language: 'ja-JP',
    transcription_service: 'engine_a',
    session: {
      external_type: EXTERNAL_TYPE,
      external_id: randomUUID(),
      name: 'Second interview',
      starts_at: new Date(startMs).toISOString(),
      ends_at: new Date(startMs + HOUR_MS).toISOString(),
    },
  }
}
