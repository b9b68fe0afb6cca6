import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyMessage, Message, MessageType } from '@bufbuild/protobuf'
import { type Log, reasonOf } from '../lib/log.ts'
import { bearerOf, HttpRefusal, pathOf, readBody, sendText } from './http.ts'
import { type ApiKeys, type Claims, TokenError, verifyToken } from './tokens.ts'

const STATUS_OF_CODE = {
  unauthenticated: 401,
  not_found: 404,
  bad_route: 404,
  malformed: 400,
  deadline_exceeded: 408,
  invalid_argument: 400,
  failed_precondition: 412,
  resource_exhausted: 429,
  unimplemented: 501,
  internal: 500,
  unavailable: 503,
} as const

export type TwirpCode = keyof typeof STATUS_OF_CODE

export class TwirpError extends Error {
  readonly code: TwirpCode
  readonly meta: Record<string, string> | undefined

  constructor(code: TwirpCode, msg: string, meta?: Record<string, string>) {
    super(msg)
    this.code = code
    this.meta = meta
  }
}

/** One method of a service: the message it reads, and what it does with it. */
export interface TwirpMethod {
  input: MessageType
  call: (request: AnyMessage, claims: Claims) => AnyMessage | Promise<AnyMessage>
}

/** Binds a method to the type of its request. */
export function method<Input extends Message<Input>>(
  input: MessageType<Input>,
  call: (request: Input, claims: Claims) => AnyMessage | Promise<AnyMessage>,
): TwirpMethod {
  return { input, call: (request, claims) => call(request as unknown as Input, claims) }
}

/** Methods by path, such as `/twirp/livekit.RoomService/CreateRoom`. */
export type TwirpRoutes = ReadonlyMap<string, TwirpMethod>

/** The routes of services, by name: `RoomService`, `Egress`. */
export function twirpRoutesOf(
  services: Readonly<Record<string, Record<string, TwirpMethod>>>,
): TwirpRoutes {
  return new Map(
    Object.entries(services).flatMap(([service, methods]) =>
      Object.entries(methods).map(
        ([name, method]) => [`/twirp/livekit.${service}/${name}`, method] as const,
      ),
    ),
  )
}

/** Answers one call. JSON in and out, or protobuf in and out, as the content type says. */
export async function serveTwirp(
  request: IncomingMessage,
  response: ServerResponse,
  { routes, apiKeys, log }: { routes: TwirpRoutes; apiKeys: ApiKeys; log: Log },
): Promise<void> {
  try {
    const claims = await authenticate(request, apiKeys)
    const route = routeOf(request, routes)
    const isBinary = request.headers['content-type']?.startsWith('application/protobuf') ?? false
    const input = decode(route.input, await readBody(request), isBinary)
    sendMessage(response, await route.call(input, claims), isBinary)
  } catch (error) {
    if (error instanceof TokenError) sendText(response, 401, error.message)
    else if (error instanceof HttpRefusal) sendText(response, error.status, error.message)
    else if (error instanceof TwirpError) {
      const { code, message: reason } = error
      // It is the fault of a setting, here or at the caller. The rest is the course of things.
      if (code === 'invalid_argument') {
        log({ level: 'warn', msg: 'api call refused', path: request.url, reason })
      }
      sendError(response, error)
    } else {
      log({ level: 'error', msg: 'api call failed', path: request.url, reason: reasonOf(error) })
      sendError(response, new TwirpError('internal', 'internal error'))
    }
  }
}

/** The claims of a request's token. Throws TokenError. */
export async function authenticate(request: IncomingMessage, apiKeys: ApiKeys): Promise<Claims> {
  const token = bearerOf(request)
  if (token !== undefined) return verifyToken(token, apiKeys)
  throw new TokenError('invalid authorization header. Must start with Bearer ')
}

function routeOf(request: IncomingMessage, routes: TwirpRoutes): TwirpMethod {
  const path = pathOf(request)
  const meta = { twirp_invalid_route: `${request.method} ${path}` }
  if (request.method !== 'POST') {
    const msg = `unsupported method "${request.method}" (only POST is allowed)`
    throw new TwirpError('bad_route', msg, meta)
  }
  const route = routes.get(path)
  if (route !== undefined) return route
  throw new TwirpError('bad_route', `no handler for path "${path}"`, meta)
}

function decode(input: MessageType, body: Buffer, isBinary: boolean): AnyMessage {
  const format = isBinary ? 'protobuf' : 'json'
  try {
    if (isBinary) return input.fromBinary(body)
    return input.fromJsonString(body.toString('utf8'), { ignoreUnknownFields: true })
  } catch {
    throw new TwirpError('malformed', `the ${format} request could not be decoded`)
  }
}

function sendMessage(response: ServerResponse, message: AnyMessage, isBinary: boolean): void {
  if (isBinary) {
    response.writeHead(200, { 'Content-Type': 'application/protobuf' }).end(message.toBinary())
    return
  }
  // Snake case with defaults, as the production server answers.
  const json = message.toJsonString({ emitDefaultValues: true, useProtoFieldName: true })
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(json)
}

function sendError(response: ServerResponse, { code, message, meta }: TwirpError): void {
  // Clients read the code only from exactly this content type, without a charset.
  response
    .writeHead(STATUS_OF_CODE[code], { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ code, msg: message, ...(meta === undefined ? {} : { meta }) }))
}
