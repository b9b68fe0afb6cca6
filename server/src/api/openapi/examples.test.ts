import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DeliveryWorker,
  startDeliveryWorker,
} from '../../platform/webhooks/delivery-worker.ts'
import { operatorOf } from '../../testing/board.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { file, SAMPLES, sendForm } from '../../testing/multipart.ts'
import { addRecording } from '../../testing/recordings.ts'
import { addWebhookDelivery } from '../../testing/webhook-delivery.ts'
import type { Document, OperationObject } from './document.ts'
import { PARAMETER_EXAMPLES } from './parameter-examples.ts'

/** As long as the one that they are about. */
const RECORDING_OF_SAMPLES = { durationSec: 3604.52 }
const plane = useControlPlane()
const live = useLiveRooms(plane)

const FILE = join(import.meta.dirname, '../../../../docs/openapi.json')
const { paths, servers }: Document = JSON.parse(readFileSync(FILE, 'utf8'))
const [{ url: BASE }] = servers as [{ url: string }]

type Operation = readonly [id: string, operation: OperationObject]

const OPERATIONS: readonly Operation[] = Object.values(paths).flatMap((methods) =>
  Object.values(methods).map((operation) => [operation.operationId ?? '', operation] as const),
)
/** Operations that end something that the other samples need. */
const LAST = [
  'revokeApiKey',
  'deleteWebhookEndpoint',
  'deleteProcessedRecording',
  'deleteClip',
  'deleteRecording',
  'banParticipant',
  'banFromInside',
  'closeFromInside',
  'closeRoom',
  'cancelSession',
]
const IN_ORDER = [...OPERATIONS.map(([id]) => id).filter((id) => !LAST.includes(id)), ...LAST]

/** Operations that need more than one request. The example is understood, and refused for the state. */
const REFUSED: Readonly<Record<string, readonly [status: number, code: string]>> = {
  completeProcessedRecording: [409, 'UPLOAD_NOT_FOUND'],
  getProcessedRecordingDownloadUrl: [409, 'PROCESSED_RECORDING_NOT_AVAILABLE'],
  getClipDownloadUrl: [409, 'CLIP_NOT_AVAILABLE'],
  // The example of a handout is an image, which cannot play.
  movePlayback: [422, 'VALIDATION_ERROR'],
  // The ticket of these samples is that of a moderator.
  rateInterview: [422, 'VALIDATION_ERROR'],
  // Nobody publishes media.
  startRecording: [422, 'VALIDATION_ERROR'],
  pauseRecording: [409, 'RECORDING_NOT_AVAILABLE'],
  resumeRecording: [409, 'RECORDING_NOT_AVAILABLE'],
  // The tenant of these samples is a real one.
  getSandbox: [404, 'NOT_FOUND'],
  addSimulatedPerson: [404, 'NOT_FOUND'],
  removeSimulatedPerson: [404, 'NOT_FOUND'],
  triggerWebhook: [404, 'NOT_FOUND'],
  advanceSandboxClock: [404, 'NOT_FOUND'],
}

interface Place {
  roomId: string
  sessionId: string
  handoutId: string
}

let booked: Place
let entered: Place
let panelist: Guest
let ids: Record<string, string>
let variables: Record<string, string>
let worker: DeliveryWorker

async function place(): Promise<Place> {
  const { id: roomId, session } = await plane.book({ startsInMin: 1 })
  const { data } = await sendForm(plane.tenant, `POST /sessions/${session.id}/handouts`, {
    parts: [
      ['file', file('label.png', SAMPLES.png)],
      ['content_type', 'image'],
    ],
  })
  return { roomId, sessionId: session.id, handoutId: data.id }
}

beforeAll(async () => {
  // A test of an endpoint waits for an attempt, by the time of the database.
  worker = startDeliveryWorker({ ...plane.deps, clock: () => new Date() })
  booked = await place()
  entered = await place()
  const moderator = await live.enter(entered.roomId, 'moderator')
  panelist = await live.enter(entered.roomId, 'panelist')
  const recordingId = await addRecording(plane, booked.roomId, RECORDING_OF_SAMPLES)
  const { data: transcription } = await plane.tenant.post(
    `/recordings/${recordingId}/transcriptions`,
    { language: 'en-US' },
  )
  const range = { start_sec: 1, end_sec: 2 }
  const { data: clip } = await plane.tenant.post(`/recordings/${recordingId}/clips`, range)
  const { data: connectionTest } = await plane.tenant.post('/connection-tests', {})
  ids = {
    recording_id: recordingId,
    transcription_id: transcription.id,
    clip_id: clip.id,
    connection_test_id: connectionTest.id,
    key_id: (await plane.tenant.post('/api-keys', {})).data.key_id,
    ...(await addWebhookDelivery(plane)),
    erasure_id: (
      await plane.tenant.post('/data-subjects/erasures', {
        external_type: 'User',
        external_id: '1',
      })
    ).data.id,
    legal_hold_id: (
      await plane.tenant.post('/legal-holds', { room_id: booked.roomId, reason: 'Case 1' })
    ).data.id,
    // The sample before it adds this one.
    question_id: PARAMETER_EXAMPLES['question_id'] ?? '',
  }
  variables = {
    API_KEY: plane.tenant.authorization.replace('ApiKey ', ''),
    ROOM_TICKET: moderator.ticket,
    PARTICIPANT_TOKEN: await live.acting.signToken({ roomId: entered.roomId }),
    TEST_TICKET: String(connectionTest.connect_url).split('#ticket=')[1] ?? '',
    BOARD_TOKEN: (await operatorOf(plane)).token,
    VIEWER_TOKEN: await live.acting.signViewerToken({ recording_id: recordingId }),
  }
})

afterAll(() => worker?.stop())

/** Adds a person who may be banned: once by the tenant, and once from inside. */
async function idsFor(id: string): Promise<Record<string, string>> {
  // Tokens are signed at the real time, and these are many requests for a busy machine.
  plane.now = new Date()
  const isInside = /Bearer|participants/.test(sourceOf(id))
  const { roomId, sessionId, handoutId } = isInside ? entered : booked
  const own = { ...ids, room_id: roomId, session_id: sessionId, handout_id: handoutId }
  if (!id.startsWith('ban')) return { ...own, participant_id: panelist.participantId }
  const other = { external_type: 'User', external_id: randomUUID() }
  const banned = await live.enter(entered.roomId, 'panelist', { participant: other })
  return { ...own, participant_id: banned.participantId }
}

function sourceOf(id: string): string {
  const [, operation] = OPERATIONS.find(([each]) => each === id) ?? []
  return operation?.['x-codeSamples']?.[0]?.source ?? ''
}

/** The words of a command as a POSIX shell splits them. */
function wordsOf(command: string): string[] {
  const words = command.matchAll(/(?:'(?:[^'])*'|\\'|"[^"]*"|[^\s'"\\])+/g)
  return [...words].map(([word]) =>
    word.replaceAll(
      /'([^']*)'|\\(')|"([^"]*)"/g,
      (...[, plain, quote, text]: (string | undefined)[]) =>
        plain ??
        quote ??
        (text ?? '').replaceAll(/\$\(uuidgen\)|\$(\w+)/g, (_name, variable?: string) =>
          variable === undefined ? randomUUID() : (variables[variable] ?? ''),
        ),
    ),
  )
}

/** The request that curl would send. */
function requestOf(command: string): { url: string; init: RequestInit } {
  const [program, ...words] = wordsOf(command)
  if (program !== 'curl') throw new Error(`${program} is not curl`)
  const init = { method: 'GET', headers: new Headers() } as RequestInit & { headers: Headers }
  const form = new FormData()
  let url = ''
  while (words.length > 0) {
    const word = words.shift() ?? ''
    if (word === '-N') continue
    if (!word.startsWith('-')) url = word
    else take(word, words.shift() ?? '')
  }
  return { url, init: { ...init, ...([...form.keys()].length > 0 && { body: form }) } }

  function take(option: string, value: string): void {
    const [, name = '', rest = ''] = /^([^:=]+)[:=]\s*([^]*)$/.exec(value) ?? []
    if (option === '-X') init.method = value
    else if (option === '-H') init.headers.set(name, rest)
    else if (option === '-d') init.body = value
    else if (option === '-F' && rest.startsWith('@')) form.set(name, pictureOf(rest.slice(1)))
    else if (option === '-F') form.set(name, rest)
    else throw new Error(`${option} is not known`)
  }
}

function pictureOf(name: string): File {
  return new File([new Uint8Array(SAMPLES.png)], name)
}

async function send(id: string) {
  const own = await idsFor(id)
  const command = Object.entries(own).reduce(
    (text, [name, value]) => text.replaceAll(PARAMETER_EXAMPLES[name] ?? '-', value),
    sourceOf(id),
  )
  const { url, init } = requestOf(command)
  const ends = new AbortController()
  const answer = await fetch(url.replace(BASE, live.origin), { ...init, signal: ends.signal })
  const isStream = answer.headers.get('content-type') === 'text/event-stream'
  const text = isStream ? '' : await answer.text()
  ends.abort()
  const { error } = text === '' ? {} : JSON.parse(text)
  return { status: answer.status, code: error?.code as string | undefined, text }
}

test('every operation has a sample, and every expected refusal belongs to an operation', () => {
  expect(OPERATIONS.filter(([id]) => !sourceOf(id).startsWith('curl ')).map(([id]) => id)).toEqual(
    [],
  )
  expect(Object.keys(REFUSED).filter((id) => sourceOf(id) === '')).toEqual([])
})

test('every sample of the control plane sends an API key, as the header wants it', () => {
  const ofTenant = OPERATIONS.filter(([, { security = [] }]) =>
    security.some((each) => 'apiKeyAuth' in each),
  )
  expect(ofTenant.length).toBeGreaterThan(25)
  for (const [id] of ofTenant) expect(sourceOf(id)).toContain('"Authorization: ApiKey $API_KEY"')
})

// contract: Form of answers › The example of every operation can be sent as it is shown
test.each(IN_ORDER)('the sample of %s can be sent', async (id) => {
  const { status, code, text } = await send(id)
  const refused = REFUSED[id]
  const outcome = refused === undefined ? Math.floor(status / 100) : [status, code]
  expect(outcome, text).toEqual(refused ?? 2)
})
