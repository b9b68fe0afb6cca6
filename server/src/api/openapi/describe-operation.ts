import { success } from '@interview-room/contract/envelope.ts'
import type { ErrorCode } from '@interview-room/contract/errors.ts'
import type { Operation, Plane } from '@interview-room/contract/operations/operation.ts'
import type { TObject, TSchema } from 'typebox'
import type { MediaObject, OperationObject, ParameterObject, ResponseObject } from './document.ts'
import { errorResponses } from './error-responses.ts'

const REF = '#/components/headers'

/** What the contract declares of an operation -> the whole description of it. */
export function describeOperation(operation: Operation): OperationObject {
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    tags: [operation.tag],
    security: securityOf(operation),
    parameters: [
      ...parametersOf('query', operation.query),
      ...parametersOf('path', operation.params),
      ...(operation.isKeyed ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(operation.isResumable ? [{ $ref: '#/components/parameters/LastEventId' }] : []),
    ],
    ...requestBody(operation),
    responses: {
      ...successes(operation),
      ...errorResponses(refusalsOf(operation), { isEntry: operation.plane === 'room' }),
    },
  }
}

const SECURITY: Readonly<Record<Plane, Record<string, string[]>[]>> = {
  control: [{ apiKey: [] }],
  room: [{ participant: [] }],
  board: [{ operator: [] }],
  public: [],
}

function securityOf({ plane, credential }: Operation) {
  return credential === 'token or body' ? [...SECURITY[plane], {}] : SECURITY[plane]
}

/** What any operation of its plane refuses, and what is its own. */
function refusalsOf({ method, plane, params, refusals = [], isKeyed }: Operation): ErrorCode[] {
  if (plane === 'public') return ['INVALID_REQUEST', 'METHOD_NOT_ALLOWED', 'INTERNAL_ERROR']
  const isWriting = method !== 'GET'
  const isOfRoom = plane === 'room' && params?.properties['room_id'] !== undefined
  return [
    'INVALID_REQUEST',
    'METHOD_NOT_ALLOWED',
    ...(isWriting ? (['INVALID_JSON', 'FILE_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    'UNAUTHORIZED',
    // Writes of one person wait for each other, and not too many of them.
    ...(isWriting && isOfRoom ? (['RATE_LIMIT_EXCEEDED'] as const) : []),
    ...(params !== undefined ? (['NOT_FOUND'] as const) : []),
    ...refusals,
    ...(isKeyed ? (['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_CONFLICT'] as const) : []),
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ]
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  cursor: 'Place in the list: the `next_cursor` of the page before, unchanged.',
  limit: 'At most so many items.',
}

function parametersOf(place: 'path' | 'query', declared: TObject | undefined): ParameterObject[] {
  if (declared === undefined) return []
  const { properties } = declared
  const required = requiredOf(declared)
  return Object.entries(properties).map(([name, { description: own, ...schema }]: Property) => {
    const description = DESCRIPTIONS[name] ?? own
    return {
      schema,
      in: place,
      name,
      required: required.includes(name),
      ...(description !== undefined && { description }),
    }
  })
}

/** Absent, whatever its type says, where every member is optional. */
function requiredOf({ required = [] }: { required?: readonly string[] }): readonly string[] {
  return required
}

type Property = [name: string, schema: { description?: string }]

function requestBody({
  method,
  form,
  body,
  describedBody = body,
  example,
}: Operation): Pick<OperationObject, 'requestBody'> {
  if (form !== undefined) {
    // Without a part that must be there, nothing need be sent.
    const content = { 'multipart/form-data': { schema: form } }
    return { requestBody: { required: requiredOf(form).length > 0, content } }
  }
  if (describedBody === undefined) return {}
  const { schema, isOptional } = withoutNull(describedBody)
  const types = [
    'application/json',
    ...(method === 'PATCH' ? ['application/merge-patch+json'] : []),
  ]
  const media: MediaObject = { schema, example: example?.request }
  const content = Object.fromEntries(types.map((type) => [type, media]))
  return { requestBody: { required: !isOptional, content } }
}

/** What may be absent is checked as null: the framework has no other word for it. */
function withoutNull(given: TSchema): { schema: unknown; isOptional: boolean } {
  const { anyOf = [] } = given as { anyOf?: { type?: string }[] }
  const others = anyOf.filter(({ type }) => type !== 'null')
  if (others.length === anyOf.length) return { schema: given, isOptional: false }
  return { schema: others.length === 1 ? others[0] : { anyOf: others }, isOptional: true }
}

function successes(operation: Operation): Record<string, ResponseObject> {
  const headers = answerHeaders(operation)
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, answer]): [string, ResponseObject] => [
      status,
      status === '204'
        ? { description: 'Done.', headers }
        : { description: operation.summary, headers, content: contentOf(answer, operation) },
    ]),
  )
}

function contentOf(
  answer: Operation['answers'][number],
  { example }: Operation,
): Record<string, MediaObject> {
  if ('events' in answer) {
    return { 'text/event-stream': { schema: eventSchema(answer.events), example: example?.answer } }
  }
  if ('mediaType' in answer) {
    return { [answer.mediaType]: { schema: answer.schema, example: example?.answer } }
  }
  const enveloped = { success: true, data: example?.answer }
  return { 'application/json': { schema: success(answer), example: enveloped } }
}

/** One event of a stream: before OpenAPI 3.2 tools read the schema of `text/event-stream` so. */
function eventSchema(events: Readonly<Record<string, TSchema>>): object {
  const anyOf = Object.entries(events).map(([name, contentSchema]) => ({
    type: 'object',
    title: name,
    required: ['event', 'data'],
    properties: {
      event: { type: 'string', const: name },
      id: { type: 'string' },
      data: { type: 'string', contentMediaType: 'application/json', contentSchema },
    },
  }))
  return { description: 'One event of the stream; `data` is JSON.', anyOf }
}

function answerHeaders(operation: Operation): Record<string, unknown> {
  return {
    'X-Request-Id': { $ref: `${REF}/RequestId` },
    ...(operation.hasLocation && { Location: { $ref: `${REF}/Location` } }),
    ...(operation.isKeyed && { 'Idempotent-Replayed': { $ref: `${REF}/IdempotentReplayed` } }),
    ...(operation.mayDeprecate && {
      Deprecation: { $ref: `${REF}/Deprecation` },
      Sunset: { $ref: `${REF}/Sunset` },
      Link: { $ref: `${REF}/Link` },
    }),
  }
}
