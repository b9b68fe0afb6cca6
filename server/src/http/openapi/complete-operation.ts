import type { ErrorCode } from '@interview-room/contract/errors.ts'
import type { Operation } from '@interview-room/contract/operations/operation.ts'
import type { MediaObject, OperationObject, ResponseObject } from './document.ts'
import { errorResponses } from './error-responses.ts'

const REF = '#/components/headers'

/** Route schemas + what the contract tells of the operation -> the whole description of it. */
export function completeOperation(
  method: string,
  route: OperationObject,
  operation: Operation,
): OperationObject {
  const { default: _any, ...answers } = route.responses
  const isWriting = method !== 'get'
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    tags: route.tags ?? [],
    security: securityOf(route, operation),
    parameters: [
      ...(route.parameters ?? []).map(describeParameter),
      ...(operation.isKeyed ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(operation.isResumable ? [{ $ref: '#/components/parameters/LastEventId' }] : []),
    ] as OperationObject['parameters'] & object,
    ...requestBody(method, route, operation),
    responses: {
      ...withAnswers(answers, operation),
      ...errorResponses(refusalsOf({ route, operation, isWriting }), {
        isAtTheDoor: route.tags?.includes('Participant plane') ?? false,
      }),
    },
  }
}

function securityOf({ tags = [] }: OperationObject, { isOpenToo }: Operation) {
  if (tags.includes('Public')) return []
  if (tags.includes('Board')) return [{ operator: [] }]
  if (!tags.includes('Participant plane')) return [{ apiKey: [] }]
  return [{ participant: [] }, ...(isOpenToo ? [{}] : [])]
}

/** What any operation of its plane refuses, and what is its own. */
function refusalsOf({
  route,
  operation,
  isWriting,
}: {
  route: OperationObject
  operation: Operation
  isWriting: boolean
}): ErrorCode[] {
  if (route.tags?.includes('Public')) {
    return ['INVALID_REQUEST', 'METHOD_NOT_ALLOWED', 'INTERNAL_ERROR']
  }
  const hasPathId = route.parameters?.some((parameter) => parameter.in === 'path') ?? false
  const isOfRoom =
    route.tags?.includes('Participant plane') === true &&
    route.parameters?.some(({ name }) => name === 'room_id') === true
  return [
    'INVALID_REQUEST',
    'METHOD_NOT_ALLOWED',
    ...(isWriting ? (['INVALID_JSON', 'FILE_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(securityOf(route, operation).length > 0 ? (['UNAUTHORIZED'] as const) : []),
    // Writes of one person wait for each other, and not too many of them.
    ...(isWriting && isOfRoom ? (['RATE_LIMIT_EXCEEDED'] as const) : []),
    ...(hasPathId ? (['NOT_FOUND'] as const) : []),
    ...(operation.refusals ?? []),
    ...(operation.isKeyed ? (['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_CONFLICT'] as const) : []),
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ]
}

const PARAMETERS: Readonly<Record<string, string>> = {
  cursor: 'Place in the list: the `next_cursor` of the page before, unchanged.',
  limit: 'At most so many items.',
}

function describeParameter(parameter: NonNullable<OperationObject['parameters']>[number]) {
  const description = PARAMETERS[parameter.name]
  return description === undefined ? parameter : { ...parameter, description }
}

function requestBody(
  method: string,
  { requestBody: body }: OperationObject,
  { form, body: readable, request }: Operation,
): Pick<OperationObject, 'requestBody'> {
  if (form !== undefined) {
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } } }
  }
  const given = readable ?? body?.content['application/json']?.schema
  if (given === undefined) return {}
  const { schema, isOptional } = withoutNull(given)
  const types = [
    'application/json',
    ...(method === 'patch' ? ['application/merge-patch+json'] : []),
  ]
  const content = types.map((type): [string, MediaObject] => [type, { schema, example: request }])
  return { requestBody: { required: !isOptional, content: Object.fromEntries(content) } }
}

/** What may be absent is checked as null: the framework has no other word for it. */
function withoutNull(given: unknown): { schema: unknown; isOptional: boolean } {
  const { anyOf = [] } = given as { anyOf?: { type?: string }[] }
  const others = anyOf.filter(({ type }) => type !== 'null')
  if (others.length === anyOf.length) return { schema: given, isOptional: false }
  return { schema: others.length === 1 ? others[0] : { anyOf: others }, isOptional: true }
}

function withAnswers(
  answers: Record<string, ResponseObject>,
  operation: Operation,
): Record<string, ResponseObject> {
  const headers = answerHeaders(operation)
  return Object.fromEntries(
    Object.entries(answers).map(([status, { content }]): [string, ResponseObject] => [
      status,
      status === '204'
        ? { description: 'Done.', headers }
        : { description: operation.summary, headers, content: withExample(content, operation) },
    ]),
  )
}

function withExample(
  content: ResponseObject['content'] = {},
  { answer, plainAnswer }: Operation,
): Record<string, MediaObject> {
  const example = plainAnswer ?? { success: true, data: answer }
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [type, { ...media, example }]),
  )
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
