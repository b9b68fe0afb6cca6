import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorDetail } from '@interview-room/contract/errors.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import { toEnvelope } from './errors.ts'
import { valuesOf } from './header-values.ts'
import { requestIdOf } from './request-log.ts'
import { hasUploadTime } from './upload-time.ts'

const STATUS_LINES: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

/** Answers a request that is not valid HTTP on the bare connection, and closes it. */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && hasUploadTime(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // The request's headers were not parsed, so the id is ours.
  const { body, headers } = bareAnswer(randomUUID())
  socket.end(
    [
      `HTTP/1.1 ${STATUS_LINES[error.code ?? ''] ?? '400 Bad Request'}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
  )
}

/**
 * Answers a request with an expectation other than `100-continue`: 417, and the connection is
 * closed, because it is unknown whether its body will come.
 */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  const { body, headers } = bareAnswer(requestIdOf(request), [
    { field: 'Expect', code: 'INVALID_ENUM', message: 'must be: 100-continue' },
  ])
  response.writeHead(417, headers).end(body)
}

/** 400 INVALID_REQUEST without the one header that HTTP/1.1 asks for, or with a second one. */
export function refuseOtherThanOneHost(request: IncomingMessage): void {
  const { length } = valuesOf(request, 'host')
  if (length === 1 || (length === 0 && request.httpVersion === '1.0')) return
  throw refuseField('INVALID_REQUEST', {
    field: 'Host',
    ...(length === 0
      ? { code: 'REQUIRED', message: 'is required' }
      : { code: 'DUPLICATE', message: 'must be sent only once' }),
  })
}

function bareAnswer(requestId: string, details: ErrorDetail[] = []) {
  const refusal = new ServiceError('INVALID_REQUEST', details.length === 0 ? {} : { details })
  const body = JSON.stringify(toEnvelope(refusal))
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    Connection: 'close',
  }
  return { body, headers }
}
