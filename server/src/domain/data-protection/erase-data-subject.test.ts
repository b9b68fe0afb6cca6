import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetAnswers } from '../../api/idempotency/forget-answers.ts'
import { startDeliveryWorker } from '../../platform/webhooks/delivery-worker.ts'
import { setEndpoint } from '../../platform/webhooks/set-endpoint.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import {
  ERASED,
  findInStorage,
  holdInterview,
  STAYING,
  type WholeRoom,
} from '../../testing/erased-person.ts'
import { findInDatabase } from '../../testing/find-in-database.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { eraseDataSubjectJob } from './erase-data-subject.job.ts'

const MINUTE_MS = 60_000
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const plane = useControlPlane({ log })
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const stage = { plane, live, rooms }

const received: string[] = []
let receiver: Server
let interview: WholeRoom

/** Names, texts and ids of the erased person. */
const traces = () => [...Object.values(ERASED), ...interview.ids]

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => received.push(chunk.toString()))
    request.on('end', () => response.writeHead(204).end())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const { tenantId } = plane.tenant
  await setEndpoint(plane.deps, { tenantId, url: `http://127.0.0.1:${port}/hooks` })
  interview = await holdInterview(stage)
  const deliveries = startDeliveryWorker(plane.deps)
  try {
    await waitFor(() => received.some((body) => body.includes(ERASED.externalId)))
  } finally {
    await deliveries.stop()
  }
  plane.now = new Date(plane.now.getTime() + 10 * MINUTE_MS)
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const erase = (person = ERASED, more: object = {}) =>
  plane.tenant.post('/data-subjects/erasures', {
    external_type: 'User',
    external_id: person.externalId,
    ...more,
  })
const work = () => runJobs(plane.database.db, eraseDataSubjectJob({ ...plane.deps, forgetAnswers }))
const read = async (id: string) => (await plane.tenant.get(`/data-subjects/erasures/${id}`)).data

const listOf = async (path: string) => (await plane.tenant.get(path)).data.items as object[]

/** Everything that the tenant can read about the person who stays. */
async function dataOf({ name, word }: typeof STAYING): Promise<object> {
  const isTheirs = (item: object) => {
    const text = JSON.stringify(item)
    return text.includes(name) || text.includes(word)
  }
  const ofRooms = await Promise.all(
    [interview.roomId, interview.observedRoomId, interview.moderatedRoomId].map(async (roomId) => ({
      participants: await listOf(`/rooms/${roomId}/participants`),
      entries: await listOf(`/rooms/${roomId}/entry-histories`),
      messages: await listOf(`/rooms/${roomId}/chat-messages?limit=100`),
      events: await listOf(`/rooms/${roomId}/room-events?limit=100`),
    })),
  )
  return ofRooms.map((room) =>
    Object.fromEntries(Object.entries(room).map(([kind, all]) => [kind, all.filter(isTheirs)])),
  )
}

describe('after the erasure of a person', () => {
  test('traces were present everywhere before', async () => {
    const found = await findInDatabase(plane.database.db, traces())
    const tables = new Set(found.map((place) => place.slice(0, place.indexOf(':'))))
    expect([...tables].toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'admissions',
      'chat_attachments',
      'chat_messages',
      'connection_tests',
      'entry_histories',
      'idempotency_keys',
      'jobs',
      'live_events',
      'live_texts',
      'participants',
      'provider_notifications',
      'published_tracks',
      'recording_reports',
      'recording_voices',
      'room_events',
      'transcript_lines',
      'webhook_deliveries',
      'webhook_events',
    ])
    expect(findInStorage(plane, traces()).length).toBeGreaterThan(3)
    // Every trace must have been found: a text that was never stored would prove nothing.
    const all = [...found, ...findInStorage(plane, traces())]
    expect(traces().filter((text) => !all.some((place) => place.endsWith(`: ${text}`)))).toEqual([])
  })

  // contract: requestErasure › 202 with `id`, `state`, `subject` and `requested_by`: everything of
  //   the person goes in the background, from the database, the storage and the events
  // contract: previewErasure › 200 with `subject`, `removed`, `remains` and `waits_until`; changes
  //   nothing
  // contract: getErasure › 200 with `removed` (`live_texts` and others), `remains`, `finished_at` and the signed
  //   `receipt`
  test('no trace of the person remains except the receipt, and others keep everything', async () => {
    const stays = await dataOf(STAYING)
    const reference = { external_type: 'User', external_id: ERASED.externalId }
    const preview = await plane.tenant.post('/data-subjects/erasure-previews', reference)
    expect(preview.status).toBe(200)
    const requested = await erase()
    expect([requested.status, requested.headers['location']]).toEqual([
      202,
      `/api/v1/data-subjects/erasures/${requested.data.id}`,
    ])
    expect(requested.data).toMatchObject({ state: 'pending', subject: preview.data.subject })
    await work()

    const done = await read(requested.data.id)
    expect(done).toMatchObject({
      state: 'done',
      remains: [],
      removed: {
        participants: 3,
        entries: 3,
        admissions: 3,
        chat_messages: 3,
        live_texts: 1,
        recordings: 2,
        processed_recordings: 1,
        clips: 1,
        transcriptions: 1,
        connection_tests: 1,
        events: 4,
      },
    })
    expect(done.removed.room_events).toBeGreaterThanOrEqual(preview.data.removed.room_events)
    expect({ ...done.removed, room_events: 0 }).toEqual({ ...preview.data.removed, room_events: 0 })

    expect(await findInDatabase(plane.database.db, traces())).toEqual([])
    expect(findInStorage(plane, traces())).toEqual([])
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.filter((line) => traces().some((text) => line.includes(text)))).toEqual([])
    // Events about others lose only the id of the erased person who acted.
    const withoutErased = JSON.stringify(stays, (_name, value: unknown) =>
      interview.ids.some((id) => id === value) ? null : value,
    )
    expect(await dataOf(STAYING)).toEqual(JSON.parse(withoutErased))
  })

  test('events stay in the feed, without the person', async () => {
    const { data } = await plane.tenant.get('/events?limit=100&type=participant.entered')
    const people = data.items.map(
      (event: { data: { participant: object } }) => event.data.participant,
    )
    expect(people).toHaveLength(6)
    expect(people).toContainEqual(expect.objectContaining({ display_name: STAYING.name }))
    const nobody = { id: null, display_name: '', external_type: null, external_id: null }
    expect(people).toContainEqual(expect.objectContaining(nobody))
    const tests = await plane.tenant.get('/events?type=connection_test.completed')
    expect(tests.data.items[0].data).toMatchObject({ external_ref: null, status: 'completed' })
  })

  // contract: requestErasure › The receipt is a JWS of the service's key: `jti` is the erasure, `sub` the
  //   person as a keyed hash
  test('the receipt verifies with the published keys', async () => {
    const { data } = await plane.tenant.get('/data-subjects/erasures')
    const [erasure] = data.items
    const keys = await plane.app.inject('/api/v1/.well-known/jwks.json')
    const { payload, protectedHeader } = await jwtVerify(
      erasure.receipt,
      createLocalJWKSet(keys.json()),
      { issuer: plane.deps.config.publicUrl, typ: 'erasure-receipt+jwt', currentDate: plane.now },
    )
    expect(protectedHeader.alg).toBe('ES256')
    expect(payload).toMatchObject({
      jti: erasure.id,
      sub: erasure.subject,
      tenant: plane.tenant.tenantId,
      state: 'done',
      removed: erasure.removed,
      remains: [],
    })
  })

  // contract: requestErasure › A person whom the service does not know, or not any more, gets a
  //   receipt with zeros
  test('a second erasure finds no data, and names the first', async () => {
    const [first] = await listOf('/data-subjects/erasures')
    const { data } = await erase()
    await work()
    const done = await read(data.id)
    expect(done).toMatchObject({
      state: 'done',
      previous_erasure_id: (first as { id: string }).id,
    })
    expect(Object.values(done.removed).every((count) => count === 0)).toBe(true)
  })
})
