import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATIONS } from '@interview-room/contract/operations.ts'
import type { Operation } from '@interview-room/contract/operations/operation.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DeliveryWorker,
  startDeliveryWorker,
} from '../../platform/webhooks/delivery-worker.ts'
import { operatorOf } from '../../testing/board.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addHandout } from '../../testing/handouts.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { SAMPLES } from '../../testing/multipart.ts'
import { addThings } from '../../testing/things.ts'
import type { Document, OperationObject } from './document.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const FILE = join(import.meta.dirname, '../../../../docs/openapi.json')
const { paths }: Document = JSON.parse(readFileSync(FILE, 'utf8'))

interface DescribedOperation {
  id: string
  path: string
  method: string
  operation: OperationObject
}

const DESCRIBED: readonly DescribedOperation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    id: operation.operationId ?? '',
    path,
    method,
    operation,
  })),
)
/** Examples of parameters, by name. */
const EXAMPLES: Readonly<Record<string, string>> = Object.fromEntries(
  DESCRIBED.flatMap(({ operation: { parameters = [] } }) =>
    parameters.flatMap((each) => ('$ref' in each ? [] : [[each.name, String(each.example)]])),
  ),
)
const DECLARED = new Map(Object.values(OPERATIONS).map((operation) => [operation.id, operation]))
/** Operations that end something that the other examples need. */
const LAST = [
  'revokeShare',
  'revokeApiKey',
  'deleteWebhookEndpoint',
  'deleteProcessedRecording',
  'deleteComment',
  'deleteReel',
  'deleteClip',
  'deleteRecording',
  'banParticipant',
  'banFromInside',
  'closeFromInside',
  'closeRoom',
  'cancelSession',
]
const IN_ORDER = [...DESCRIBED.map(({ id }) => id).filter((id) => !LAST.includes(id)), ...LAST]

/** Operations that need more than one request. The example is understood, and refused for the state. */
const REFUSED: Readonly<Record<string, readonly [status: number, code: string]>> = {
  completeProcessedRecording: [409, 'UPLOAD_NOT_FOUND'],
  getProcessedRecordingDownloadUrl: [409, 'PROCESSED_RECORDING_NOT_AVAILABLE'],
  getClipDownloadUrl: [409, 'CLIP_NOT_AVAILABLE'],
  getClipPlayback: [409, 'CLIP_NOT_AVAILABLE'],
  // Nothing makes the clip of these examples.
  createReel: [409, 'CLIP_NOT_AVAILABLE'],
  getReelDownloadUrl: [409, 'CLIP_NOT_AVAILABLE'],
  getReelPlayback: [409, 'CLIP_NOT_AVAILABLE'],
  // The example of a handout is an image, which cannot play.
  movePlayback: [422, 'VALIDATION_ERROR'],
  // The ticket of these examples is that of a moderator.
  rateInterview: [422, 'VALIDATION_ERROR'],
  // Nobody publishes media.
  startRecording: [422, 'VALIDATION_ERROR'],
  pauseRecording: [409, 'RECORDING_NOT_AVAILABLE'],
  resumeRecording: [409, 'RECORDING_NOT_AVAILABLE'],
  // No engine is at work.
  getTranscriptionWords: [404, 'NOT_FOUND'],
  getTranscriptionExportUrl: [404, 'NOT_FOUND'],
  getTranscriptRevisions: [404, 'NOT_FOUND'],
  correctTranscript: [404, 'NOT_FOUND'],
  // The tenant of these examples is a real one.
  getSandbox: [404, 'NOT_FOUND'],
  addSimulatedPerson: [404, 'NOT_FOUND'],
  removeSimulatedPerson: [404, 'NOT_FOUND'],
  triggerWebhook: [404, 'NOT_FOUND'],
  advanceSandboxClock: [404, 'NOT_FOUND'],
}

interface Place {
  room_id: string
  session_id: string
  handout_id: string
}

let booked: Record<string, string>
let entered: Place
let panelist: Guest
let secrets: Record<string, string>
let worker: DeliveryWorker

beforeAll(async () => {
  // A test of an endpoint waits for an attempt, by the time of the database.
  worker = startDeliveryWorker({ ...plane.deps, clock: () => new Date() })
  const [{ id, session }, inside] = [
    await plane.book({ startsInMin: 1 }),
    await plane.book({ startsInMin: 1 }),
  ]
  const { data: connectionTest } = await plane.tenant.post('/connection-tests', {})
  booked = {
    ...(await addThings(plane, id, session.id)),
    connection_test_id: connectionTest.id,
    // The example before it adds this one.
    question_id: EXAMPLES['question_id'] ?? '',
  }
  entered = {
    room_id: inside.id,
    session_id: inside.session.id,
    handout_id: (await addHandout(plane, inside.session.id)).id,
  }
  const moderator = await live.enter(inside.id, 'moderator')
  panelist = await live.enter(inside.id, 'panelist')
  secrets = {
    ticket: moderator.ticket,
    'ticket or token': moderator.ticket,
    'token or body': await live.acting.signToken({ roomId: inside.id }),
    'test ticket': String(connectionTest.connect_url).split('#ticket=')[1] ?? '',
    board: (await operatorOf(plane)).token,
    review: await live.acting.signViewerToken({ recording_id: booked['recording_id'] ?? '' }),
    'share link': await shareToken(booked['recording_id'] ?? ''),
  }
})

async function shareToken(recordingId: string): Promise<string> {
  const { items } = (await plane.tenant.get(`/recordings/${recordingId}/shares`)).data
  return String(items[0].url).split('#token=')[1] ?? ''
}

afterAll(() => worker?.stop())

/** Adds a person who may be banned: once by the tenant, and once from inside. */
async function idsFor(id: string): Promise<Record<string, string>> {
  // Tokens are signed at the real time, and these are many requests for a busy machine.
  plane.now = new Date()
  const isInside =
    DECLARED.get(id)?.plane !== 'control' || operationOf(id).path.includes('/participants')
  const own = isInside ? { ...booked, ...entered } : booked
  if (!id.startsWith('ban')) return { ...own, participant_id: panelist.participantId }
  const other = { external_type: 'User', external_id: randomUUID() }
  const banned = await live.enter(entered.room_id, 'panelist', { participant: other })
  return { ...own, participant_id: banned.participantId }
}

function operationOf(id: string): DescribedOperation {
  return DESCRIBED.find((each) => each.id === id)!
}

/** The secret that a caller of the operation has from elsewhere. */
function authorizationOf(id: string): string | undefined {
  const operation = DECLARED.get(id)!
  if (operation.plane === 'public') return undefined
  if (operation.plane === 'control') return plane.tenant.authorization
  const { credential = 'ticket', plane: calledFrom, takesShareLink }: Operation = operation
  const ofPlane = calledFrom === 'room' ? credential : calledFrom
  const secret = takesShareLink === true ? 'share link' : ofPlane
  return `Bearer ${secrets[secret]}`
}

/** The request as the description shows it, to this address. */
function requestOf(id: string, own: Readonly<Record<string, string>>) {
  const { path, method, operation } = operationOf(id)
  const url = new URL(live.origin)
  url.pathname = path
  for (const parameter of operation.parameters ?? []) {
    if ('$ref' in parameter || parameter.required !== true) continue
    const { in: place, name, example } = parameter
    const value = own[name] ?? String(example)
    if (place === 'query') url.searchParams.set(name, value)
    else url.pathname = url.pathname.replace(encodeURIComponent(`{${name}}`), value)
  }
  const [type, media] = Object.entries(operation.requestBody?.content ?? {}).at(-1) ?? []
  const authorization = authorizationOf(id)
  const headers = {
    ...(authorization !== undefined && { authorization }),
    ...(takes('IdempotencyKey', operation) && { 'idempotency-key': randomUUID() }),
    ...(takes('IfMatch', operation) && { 'if-match': '"0"' }),
    ...(type?.includes('json') && { 'content-type': type }),
  }
  return { url, method: method.toUpperCase(), headers, body: bodyOf(type, media?.example, own) }
}

function takes(header: string, { parameters = [] }: OperationObject): boolean {
  return parameters.some((each) => '$ref' in each && each.$ref.endsWith(`/${header}`))
}

/** An example may name what another example made. */
function bodyOf(type: string | undefined, example: unknown, own: Readonly<Record<string, string>>) {
  if (type === undefined) return null
  if (type !== 'multipart/form-data') {
    return Object.entries(own).reduce(
      (text, [name, value]) => text.replaceAll(EXAMPLES[name] ?? '-', value),
      JSON.stringify(example),
    )
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(example as Record<string, unknown>)) {
    if (name === 'file') form.set(name, new File([new Uint8Array(SAMPLES.png)], String(value)))
    else form.set(name, String(value))
  }
  return form
}

async function send(id: string) {
  const { url, ...request } = requestOf(id, await idsFor(id))
  const ends = new AbortController()
  const answer = await fetch(url, { ...request, signal: ends.signal })
  const isStream = answer.headers.get('content-type') === 'text/event-stream'
  const text = isStream ? '' : await answer.text()
  ends.abort()
  const { error } = text === '' ? {} : JSON.parse(text)
  return { status: answer.status, code: error?.code as string | undefined, text }
}

test('a refusal is expected only of an operation that is described', () => {
  expect(Object.keys(REFUSED).filter((id) => !IN_ORDER.includes(id))).toEqual([])
})

// contract: Form of answers › The example of every operation can be sent as it is shown
test.each(IN_ORDER)('the example of %s can be sent', async (id) => {
  const { status, code, text } = await send(id)
  const refused = REFUSED[id]
  const outcome = refused === undefined ? Math.floor(status / 100) : [status, code]
  expect(outcome, text).toEqual(refused ?? 2)
})
