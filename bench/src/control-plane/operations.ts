import { randomUUID } from 'node:crypto'
import type { RoomRequest } from '@interview-room/contract/rooms.ts'
import { requestBytes } from '../http-connection.ts'
import { recordStatements, type Statement, written } from '../statements.ts'
import { bareOperations, EXTERNAL_TYPE } from './bare-operations.ts'
import { pickSeed, SEEDS, seedId, seedRef } from './seeds.ts'
import type { Tenant } from './stage.ts'

const API = '/api/v1'
const HOUR_MS = 3_600_000

/** One operation of the control plane, in the form that each of the three sides takes. */
export interface Operation {
  name: 'create room' | 'get room' | 'list sessions' | 'wrong key'
  service: () => Buffer
  serviceStatus: number
  raw: () => Buffer
  rawStatus: number
  /** The same SQL for pgbench. */
  script: string
}

export async function allOperations({
  url,
  tenant,
}: {
  url: string
  tenant: Tenant
}): Promise<Operation[]> {
  const right = `ApiKey ${tenant.apiKey}`
  const wrong = `ApiKey ${tenant.keyId}.${'x'.repeat(43)}`
  const scripts = await allScripts(url, tenant)

  function get(path: string, authorization = right): Buffer {
    return requestBytes({ method: 'GET', path, authorization })
  }
  function create(path: string): Buffer {
    return requestBytes({ method: 'POST', path, authorization: right, body: newRoom() })
  }
  function lookUp(path: string): Buffer {
    return get(`${path}?external_type=${EXTERNAL_TYPE}&external_id=${seedRef(pickSeed())}`)
  }

  return [
    {
      name: 'create room',
      service: () => create(`${API}/rooms`),
      serviceStatus: 201,
      raw: () => create('/rooms'),
      rawStatus: 201,
      script: scripts.createRoom,
    },
    {
      name: 'get room',
      service: () => get(`${API}/rooms/${seedId(pickSeed())}`),
      serviceStatus: 200,
      raw: () => get(`/rooms/${seedId(pickSeed())}`),
      rawStatus: 200,
      script: scripts.getRoom,
    },
    {
      name: 'list sessions',
      service: () => lookUp(`${API}/sessions`),
      serviceStatus: 200,
      raw: () => lookUp('/sessions'),
      rawStatus: 200,
      script: scripts.listSessions,
    },
    {
      name: 'wrong key',
      service: () => get(`${API}/rooms/${seedId(pickSeed())}`, wrong),
      serviceStatus: 401,
      raw: () => get(`/keys/${tenant.keyId}`, wrong),
      rawStatus: 200,
      script: scripts.wrongKey,
    },
  ]
}

/** A request with every field, as a tenant's backend sends it. */
export function newRoom(): RoomRequest {
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

/** Each client of pgbench counts in its own range, and each run starts at its own base. */
const NEXT = `\\set n :base + :client_id * 1000000 + :k\n\\set k :k + 1\n`
const ANY_SEED = `\\set n random(1, ${SEEDS})\n`
const ID = `lpad(:n, 32, '0')::uuid`
const REF = ':n'

const provide = async () => ({ sid: 'RM_bench' })

async function allScripts(url: string, tenant: Tenant) {
  const body = newRoom()
  let room = { id: '', session: { id: '' } }
  const creation = await record(async (bare) => {
    room = (await bare.createRoom(body)) as typeof room
  })
  const seed = seedId(1)
  const ref = seedRef(1)

  async function record(
    work: (bare: ReturnType<typeof bareOperations>) => Promise<unknown>,
  ): Promise<Statement[]> {
    return recordStatements(url, (db) => work(bareOperations({ db, provide }, tenant.id)))
  }

  return {
    createRoom: scriptOf(NEXT, creation, [
      [room.id, ID],
      [room.session.id, ID],
      [String(body.session.external_id), REF],
    ]),
    getRoom: scriptOf(ANY_SEED, await record((bare) => bare.getRoom(seed)), [[seed, ID]]),
    listSessions: scriptOf(ANY_SEED, await record((bare) => bare.listSessions(ref)), [[ref, REF]]),
    wrongKey: scriptOf('', await record((bare) => bare.findKey(tenant.keyId)), []),
  }
}

function scriptOf(
  head: string,
  statements: readonly Statement[],
  instead: readonly (readonly [string, string])[],
): string {
  const lines = statements.map((statement) => `${written(statement, new Map(instead))};\n`)
  return `${head}${lines.join('')}`
}
