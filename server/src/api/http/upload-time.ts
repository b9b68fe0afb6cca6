import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Longest silence on the connection of an upload. Unlike any other timeout of a connection. */
const UPLOAD_IDLE_MS = 30_000

/**
 * Lets an upload take longer than a request may: from here on, its connection is closed when it is
 * silent for half a minute, and not because it is slow.
 */
export function allowUploadTime({ raw }: Pick<FastifyRequest, 'raw'>): void {
  if (raw.socket instanceof Socket) raw.socket.setTimeout(UPLOAD_IDLE_MS)
}

/** True while this connection carries an upload. */
export function hasUploadTime(socket: Socket): boolean {
  return socket.timeout === UPLOAD_IDLE_MS
}
