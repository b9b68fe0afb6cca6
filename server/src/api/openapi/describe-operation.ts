import { about, named, success } from '@interview-room/contract/envelope.ts'
import type { ErrorCode } from '@interview-room/contract/errors.ts'
import type { Operation, Plane } from '@interview-room/contract/operations/operation.ts'
import { type TObject, type TSchema, Type } from 'typebox'
import type { MediaObject, OperationObject, ParameterObject, ResponseObject } from './document.ts'
import { errorResponses } from './error-responses.ts'
import { HEADERS, RATE_LIMIT_HEADERS } from './headers.ts'
import { webhookCallback } from './webhooks.ts'

/** Turns the contract's declaration of an operation into its full description. */
export function describeOperation(operation: Operation, publicUrl: string): OperationObject {
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.tag],
    security: securityOf(operation),
    parameters: [
      ...parametersOf('query', operation.query),
      ...parametersOf('path', operation.params),
      ...(operation.isKeyed ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(operation.needsMatch ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
      ...(operation.isResumable ? [{ $ref: '#/components/parameters/LastEventId' }] : []),
    ],
    ...requestBody(operation),
    responses: {
      ...successes(operation),
      ...errorResponses(refusalsOf(operation), {
        plane: operation.plane,
        publicUrl,
      }),
    },
    ...(operation.causesWebhooks && { callbacks: webhookCallback() }),
  }
}

const SECURITY: Readonly<Record<Plane, Record<string, string[]>[]>> = {
  control: [{ apiKeyAuth: [] }],
  room: [{ participantAuth: [] }],
  board: [{ operatorAuth: [] }],
  review: [{ viewerAuth: [] }],
  public: [],
}

function securityOf({ plane, credential, viewerMay }: Operation) {
  if (credential === 'token or body') return [...SECURITY[plane], {}]
  const isOfBoth = plane === 'control' && viewerMay !== undefined
  return isOfBoth ? [...SECURITY[plane], ...SECURITY.review] : SECURITY[plane]
}

/** The refusals that any operation of its plane gives, and the operation's own. */
function refusalsOf(operation: Operation): ErrorCode[] {
  const { method, plane, params, refusals = [], isKeyed, isUrgent } = operation
  if (plane === 'public') return ['INVALID_REQUEST', 'METHOD_NOT_ALLOWED', 'INTERNAL_ERROR']
  const isWriting = method !== 'GET'
  const isOfRoom = plane === 'room' && params?.properties['room_id'] !== undefined
  return [
    'INVALID_REQUEST',
    'METHOD_NOT_ALLOWED',
    ...(isWriting ? (['INVALID_JSON', 'FILE_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    'UNAUTHORIZED',
    // Writes of one person run one after another, and only a few may wait. A tenant may have a limit.
    ...((isWriting && isOfRoom) || (plane === 'control' && !isUrgent)
      ? (['RATE_LIMIT_EXCEEDED'] as const)
      : []),
    ...(params !== undefined ? (['NOT_FOUND'] as const) : []),
    ...refusals,
    ...(isKeyed ? (['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_CONFLICT'] as const) : []),
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ]
}

function parametersOf(place: 'path' | 'query', declared: TObject | undefined): ParameterObject[] {
  if (declared === undefined) return []
  const { properties } = declared
  const required = requiredOf(declared)
  return Object.entries(properties).map(([name, property]: Property) => {
    const { description = '', examples: [example] = [], ...schema } = property
    const isRequired = required.includes(name)
    // Tools make up a value without one, which nothing has.
    if (isRequired && example === undefined) throw new Error(`the parameter ${name} has no example`)
    return {
      in: place,
      name,
      required: isRequired,
      description,
      schema,
      ...(example !== undefined && { example }),
    }
  })
}

/** `required` is absent, whatever its type says, if every member is optional. */
function requiredOf({ required = [] }: { required?: readonly string[] }): readonly string[] {
  return required
}

type Property = [name: string, schema: { description?: string; examples?: unknown[] }]

function requestBody({
  method,
  form,
  body,
  describedBody = body,
  example,
}: Operation): Pick<OperationObject, 'requestBody'> {
  if (form !== undefined) {
    // Without a required part, the body may be left out.
    const content = { 'multipart/form-data': { schema: form, example: example?.parts } }
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

/** A parameter that may be absent is checked as null, because the framework has no other way to say it. */
function withoutNull(given: TSchema): { schema: unknown; isOptional: boolean } {
  const { anyOf = [] } = given as { anyOf?: { type?: string }[] }
  const others = anyOf.filter(({ type }) => type !== 'null')
  if (others.length === anyOf.length) return { schema: given, isOptional: false }
  return { schema: others.length === 1 ? others[0] : { anyOf: others }, isOptional: true }
}

const SUCCESSES: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'Done. There is no body.',
  503: 'Not ready.',
}

function successes(operation: Operation): Record<string, ResponseObject> {
  const headers = answerHeaders(operation)
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, answer]): [string, ResponseObject] => {
      const description = SUCCESSES[status] ?? operation.summary
      return [
        status,
        status === '204'
          ? { description, headers }
          : { description, headers, content: contentOf(answer, operation) },
      ]
    }),
  )
}

function contentOf(
  answer: Operation['answers'][number],
  { id, example }: Operation,
): Record<string, MediaObject> {
  if ('events' in answer) {
    const schema = eventSchema(`${capitalised(id)}Event`, answer.events)
    return { 'text/event-stream': { schema, example: example?.answer } }
  }
  if ('mediaType' in answer) {
    return { [answer.mediaType]: { schema: answer.schema, example: example?.answer } }
  }
  const enveloped = { success: true, data: example?.answer }
  return { 'application/json': { schema: envelopeOf(answer, id), example: enveloped } }
}

/**
 * The envelope under the name of what it carries, `RoomResponse` or `RoomListResponse`: generators make one type
 * of it, and not one for each operation.
 */
function envelopeOf(data: TSchema, operationId: string): TSchema {
  const { properties, anyOf = [] } = data as {
    properties?: { items?: ListItems }
    anyOf?: SchemaTitle[]
  }
  const item = properties?.items?.items?.title
  if (item !== undefined) return named(`${item}ListResponse`, success(named(`${item}List`, data)))
  const title = (data as SchemaTitle).title ?? anyOf.find((each) => each.title !== undefined)?.title
  if (title === undefined) throw new Error(`what ${operationId} answers has no name`)
  return named(`${title}Response`, success(data))
}

interface SchemaTitle {
  title?: string
}
interface ListItems {
  items?: SchemaTitle
}

/** One event of a stream: before OpenAPI 3.2, tools read the schema of `text/event-stream` in this way. */
function eventSchema(title: string, events: Readonly<Record<string, TSchema>>): TSchema {
  const named = Object.entries(events).map(
    ([name, data]) => [name, `${title}${capitalised(name)}`, data] as const,
  )
  return Type.Unsafe({
    title,
    description: 'One event of the stream.',
    oneOf: named.map((event) => oneEvent(event)),
    discriminator: {
      propertyName: 'event',
      mapping: Object.fromEntries(
        named.map(([name, component]) => [name, `#/components/schemas/${component}`]),
      ),
    },
  })
}

function oneEvent([name, title, contentSchema]: readonly [string, string, TSchema]): TSchema {
  const data = { contentMediaType: 'application/json', contentSchema }
  return named(
    title,
    Type.Object(
      {
        event: Type.Literal(name, { description: 'Name of the event.' }),
        id: Type.Optional(
          about(Type.String(), 'Position in the stream. Send the last one as `Last-Event-ID`.'),
        ),
        data: Type.String({ ...data, description: 'Data of the event, as JSON.' }),
      },
      { description: `The event \`${name}\`.` },
    ),
  )
}

/** `messages_purged` -> `MessagesPurged` */
function capitalised(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())
}

function answerHeaders(operation: Operation): Record<string, unknown> {
  return {
    'X-Request-Id': HEADERS.RequestId,
    ...(operation.plane === 'control' && RATE_LIMIT_HEADERS),
    ...(operation.hasEtag && { ETag: HEADERS.Etag }),
    ...(operation.hasLocation && { Location: HEADERS.Location }),
    ...(operation.isKeyed && { 'Idempotent-Replayed': HEADERS.IdempotentReplayed }),
    ...(operation.mayDeprecate && {
      Deprecation: HEADERS.Deprecation,
      Sunset: HEADERS.Sunset,
      Link: HEADERS.Link,
    }),
  }
}
