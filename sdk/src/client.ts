import { API } from '@interview-room/contract/operations.ts'
import type {
  BodyOf,
  DataOf,
  EventOf,
  Operation,
  ParamsOf,
  QueryOf,
  StatusOf,
  StreamAnswer,
} from '@interview-room/contract/operations/operation.ts'
import { ConnectionError } from './errors.ts'
import { eventsOf } from './event-stream.ts'
import { type CallOptions, type ClientOptions, type Input, request } from './request.ts'

export type { CallOptions, ClientOptions } from './request.ts'

/** A declared member. It may be absent if none of its own members is required. */
type Member<O, Name extends string, T> =
  O extends Record<Name, unknown>
    ? Partial<T> extends T
      ? { [N in Name]?: T }
      : { [N in Name]: T }
    : unknown

type BodyMember<B> = [B] extends [undefined]
  ? unknown
  : null extends B
    ? { body?: NonNullable<B> }
    : { body: B }

export type InputOf<O> = Member<O, 'params', ParamsOf<O>> &
  Member<O, 'query', QueryOf<O>> &
  BodyMember<BodyOf<O>> &
  (O extends { form: unknown } ? { form: FormData } : unknown)

type AnswerOf<O extends Operation> =
  O['answers'][StatusOf<O>] extends StreamAnswer<infer E>
    ? AsyncGenerator<EventOf<E>>
    : Promise<DataOf<O['answers'][StatusOf<O>]>>

type ArgumentsOf<I> = Partial<I> extends I ? [input?: I & CallOptions] : [input: I & CallOptions]

/** Every operation of the API, by operation id. */
export type Client = {
  readonly [Id in keyof typeof API]: (
    ...input: ArgumentsOf<InputOf<(typeof API)[Id]>>
  ) => AnswerOf<(typeof API)[Id]>
}

/** A client of the API. Its methods throw ApiError and ConnectionError (`errors.ts`). */
export function createClient(options: ClientOptions): Client {
  const methods = Object.values(API).map((operation: Operation) => {
    const isStream = Object.values(operation.answers).some((answer) => 'events' in answer)
    const method = isStream ? follow : ask
    return [operation.id, (input: Input = {}) => method(options, operation, input)]
  })
  return Object.fromEntries(methods) as Client
}

async function ask(options: ClientOptions, operation: Operation, input: Input): Promise<unknown> {
  return request(options, {
    operation,
    input,
    read: async (response) => dataOf(operation, response),
  })
}

async function dataOf(operation: Operation, response: Response): Promise<unknown> {
  const { status } = response
  if (status === 204) return null
  const body: unknown = await response.json()
  const answer = operation.answers[status]
  if (answer !== undefined && 'mediaType' in answer) return body
  const isEnvelope = typeof body === 'object' && body !== null && 'data' in body
  if (isEnvelope) return body.data
  throw new ConnectionError(`answered with ${status}, and no envelope`)
}

async function* follow(options: ClientOptions, operation: Operation, input: Input): AsyncGenerator {
  const body = await request(options, { operation, input, read: async (answer) => answer.body })
  if (body === null) return
  try {
    for await (const { event, id, data } of eventsOf(body))
      yield { event, id, data: JSON.parse(data) }
  } catch (error) {
    if (input.signal?.aborted) throw error
    throw new ConnectionError(`${operation.id} broke off`, { cause: error })
  }
}

interface Page<T> {
  items: T[]
  next_cursor: string | null
}

/** Every item of a list, page after page: `eachOf(client.listRecordings, { params })`. */
export function eachOf<T>(list: () => Promise<Page<T>>): AsyncGenerator<T>
export function eachOf<I extends { query?: object }, T>(
  list: (input: I) => Promise<Page<T>>,
  input: I,
): AsyncGenerator<T>
export async function* eachOf<T>(
  list: (input: { query: object }) => Promise<Page<T>>,
  input: { query?: object } = {},
): AsyncGenerator<T> {
  let cursor: string | null = null
  do {
    const query: object = { ...input.query, ...(cursor !== null && { cursor }) }
    const page: Page<T> = await list({ ...input, query })
    yield* page.items
    cursor = page.next_cursor
  } while (cursor !== null)
}
